// SPDX-License-Identifier: Apache-2.0
package io.dedup.spring.result;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dedup.claim.StoredResult;
import java.lang.reflect.Modifier;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The types that an answer may have, each with the name that it is stored under. Immutable. */
final class ResultTypes {

  private static final int NAME_MAX =
      StoredResult.CONTENT_TYPE_MAX - JsonResultCodec.CONTENT_TYPE.length();

  private final JavaType declared;
  private final Map<String, JavaType> byName;
  private final Map<Class<?>, String> names;

  private ResultTypes(
      JavaType declared, Map<String, JavaType> byName, Map<Class<?>, String> names) {
    this.declared = declared;
    this.byName = Collections.unmodifiableMap(byName);
    this.names = Map.copyOf(names);
  }

  /**
   * Returns the types of a declared one and of those that are allowed beside it.
   *
   * @throws IllegalArgumentException if there is none that could be made, or one does not fit
   */
  static ResultTypes of(JavaType declared, Map<String, Class<?>> allowed, JsonMapper mapper) {
    Class<?> raw = declared.getRawClass();
    Map<String, JavaType> byName = new LinkedHashMap<>();
    Map<Class<?>, String> names = new HashMap<>();
    if (isReadAsDeclared(declared) || canBeMade(raw)) {
      String name = shortened(declared.toCanonical());
      byName.put(name, declared);
      names.put(raw, name);
    }
    addPermitted(raw, byName, names, mapper);
    allowed.forEach(
        (written, type) -> {
          if (!raw.isAssignableFrom(type) || !canBeMade(type)) {
            throw new IllegalArgumentException(
                "result types: was "
                    + type.getName()
                    + ", must be a class that is a "
                    + raw.getName()
                    + " and can be made");
          }
          String name = shortened(written);
          byName.put(name, mapper.constructType(type));
          // Of several names of a type the last is written, and all are read.
          names.put(type, name);
        });
    if (byName.isEmpty() || BaseStream.class.isAssignableFrom(raw)) {
      throw new IllegalArgumentException(
          "result type: was "
              + declared.toCanonical()
              + ", must be a class that can be made, or the types of results must be named");
    }
    return new ResultTypes(declared, byName, names);
  }

  /** Returns the types by the names that they are stored under. */
  Map<String, JavaType> byName() {
    return byName;
  }

  /**
   * Returns the name that an answer is stored under.
   *
   * @throws IllegalArgumentException if its type is not allowed
   */
  String nameOf(Object value) {
    if (isReadAsDeclared(declared)) {
      return byName.keySet().iterator().next();
    }
    String name = names.get(value.getClass());
    if (name == null) {
      throw new IllegalArgumentException(
          "type of the result: was "
              + value.getClass().getName()
              + ", must be one of "
              + byName.keySet());
    }
    return name;
  }

  /** Returns whether there may be anything inside, so that JSON alone does not tell what it was. */
  boolean isOpen() {
    return isOpen(declared);
  }

  private static boolean isOpen(@Nullable JavaType type) {
    if (type == null) {
      return false;
    }
    if (type.isJavaLangObject()) {
      return true;
    }
    for (int i = 0; i < type.containedTypeCount(); i++) {
      if (isOpen(type.containedType(i))) {
        return true;
      }
    }
    return type.isArrayType() && isOpen(type.getContentType());
  }

  /** What matters of a list, a map or an optional is what is in it. */
  private static boolean isReadAsDeclared(JavaType type) {
    return type.isContainerType()
        || type.isReferenceType()
        || type.isPrimitive()
        || type.isEnumType()
        || JsonNode.class.isAssignableFrom(type.getRawClass());
  }

  private static void addPermitted(
      Class<?> type, Map<String, JavaType> byName, Map<Class<?>, String> names, JsonMapper mapper) {
    if (!type.isSealed()) {
      return;
    }
    for (Class<?> permitted : type.getPermittedSubclasses()) {
      if (canBeMade(permitted)) {
        String name = shortened(permitted.getName());
        byName.put(name, mapper.constructType(permitted));
        names.put(permitted, name);
      }
      addPermitted(permitted, byName, names, mapper);
    }
  }

  private static boolean canBeMade(Class<?> type) {
    return type != Object.class && !type.isInterface() && !Modifier.isAbstract(type.getModifiers());
  }

  /** A long name, or one that is not ASCII, is stored as its digest: it is only compared. */
  private static String shortened(String name) {
    boolean printable = name.chars().allMatch(c -> c >= ' ' && c <= '~');
    if (printable && name.length() <= NAME_MAX) {
      return name;
    }
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
      return "sha256-" + HexFormat.of().formatHex(digest, 0, 16);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
