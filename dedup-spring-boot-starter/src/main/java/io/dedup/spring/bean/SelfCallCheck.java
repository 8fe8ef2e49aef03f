// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.bean;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.asm.ClassReader;
import org.springframework.asm.ClassVisitor;
import org.springframework.asm.Handle;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;
import org.springframework.asm.SpringAsmInfo;
import org.springframework.asm.Type;
import org.springframework.util.ClassUtils;

/**
 * Looks in the code of a class for calls to guarded methods of its own through {@code this}.
 *
 * <p>Told are those that can be nothing else: in a method that gets its own class from nowhere, a
 * call on that class is one on {@code this}. Where there is a field, a parameter or an answer of
 * that class, as for a bean that is given its own proxy, nothing is told. Calls through a
 * superclass's type or by reflection are not seen.
 */
final class SelfCallCheck {

  private final String owner;
  private final Set<String> guarded;
  private final List<String> found = new ArrayList<>();

  private SelfCallCheck(Class<?> type, Set<Method> guarded) {
    this.owner = Type.getInternalName(type);
    this.guarded =
        guarded.stream()
            .map(method -> method.getName() + Type.getMethodDescriptor(method))
            .collect(Collectors.toSet());
  }

  /** Returns the calls, as people read them; none where the class's code cannot be read. */
  static List<String> calls(Class<?> type, Set<Method> guarded) {
    SelfCallCheck check = new SelfCallCheck(type, guarded);
    try (InputStream code = type.getResourceAsStream(ClassUtils.getClassFileName(type))) {
      if (code != null) {
        new ClassReader(code).accept(check.new Classes(), ClassReader.SKIP_FRAMES);
      }
    } catch (IOException | IllegalArgumentException e) {
      // A class file that is newer than Spring's reader, for one. This is help, and no promise.
      return List.of();
    }
    return check.found;
  }

  private final class Classes extends ClassVisitor {
    Classes() {
      super(SpringAsmInfo.ASM_VERSION);
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
        int access,
        String name,
        String descriptor,
        @Nullable String signature,
        String @Nullable [] exceptions) {
      boolean bridge = (access & Opcodes.ACC_BRIDGE) != 0;
      return bridge ? null : new Methods(name, descriptor);
    }
  }

  private final class Methods extends MethodVisitor {
    private final String caller;
    private final Set<String> calls = new HashSet<>();
    private boolean otherOfOwnClass;

    Methods(String caller, String descriptor) {
      super(SpringAsmInfo.ASM_VERSION);
      this.caller = caller;
      for (Type parameter : Type.getArgumentTypes(descriptor)) {
        see(parameter);
      }
    }

    private void see(Type type) {
      otherOfOwnClass |= type.getSort() == Type.OBJECT && type.getInternalName().equals(owner);
    }

    @Override
    public void visitFieldInsn(int opcode, String of, String name, String descriptor) {
      see(Type.getType(descriptor));
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      otherOfOwnClass |= type.equals(owner);
    }

    @Override
    public void visitMethodInsn(
        int opcode, String of, String name, String descriptor, boolean isInterface) {
      see(Type.getReturnType(descriptor));
      call(of, name, descriptor);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String descriptor, Handle bootstrap, Object... arguments) {
      for (Object argument : arguments) {
        if (argument instanceof Handle handle) {
          call(handle.getOwner(), handle.getName(), handle.getDesc());
        }
      }
    }

    private void call(String of, String name, String descriptor) {
      if (of.equals(owner) && guarded.contains(name + descriptor)) {
        calls.add(name);
      }
    }

    @Override
    public void visitEnd() {
      if (!otherOfOwnClass) {
        calls.forEach(callee -> found.add(caller + " calls " + callee));
      }
    }
  }
}
