// SPDX-License-Identifier: Apache-2.0
package io.dedup.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the pages of the manual show as Java is Java, of the library as it is. */
class ReadmeTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
  private static final Pattern CLASS =
      Pattern.compile("^(?:public )?class (\\w+)", Pattern.MULTILINE);
  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:|#)([^)#]+)[^)]*\\)");

  @TempDir Path classes;

  @TestFactory
  Stream<DynamicTest> theJavaOfTheReadmeCompiles() throws IOException {
    List<String> blocks =
        BLOCK
            .matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(blocks).isNotEmpty();
    return blocks.stream().map(block -> DynamicTest.dynamicTest(name(block), () -> compile(block)));
  }

  @Test
  void theLinksOfTheReadmeLeadSomewhere() throws IOException {
    List<String> links =
        LINK.matcher(Files.readString(ROOT.resolve("README.md")))
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(links).isNotEmpty().allSatisfy(link -> assertThat(ROOT.resolve(link)).exists());
  }

  private void compile(String block) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter output = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(
                  output,
                  files,
                  null,
                  List.of("-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                  null,
                  List.of(source(block)))
              .call();
      assertThat(compiled).as(output.toString()).isTrue();
    }
  }

  private static JavaFileObject source(String block) {
    return new SimpleJavaFileObject(
        URI.create("string:///" + name(block) + ".java"), JavaFileObject.Kind.SOURCE) {
      @Override
      public CharSequence getCharContent(boolean ignoreEncodingErrors) {
        return block;
      }
    };
  }

  private static String name(String block) {
    Matcher name = CLASS.matcher(block);
    assertThat(name.find()).as("a class in %s", block).isTrue();
    return name.group(1);
  }
}
