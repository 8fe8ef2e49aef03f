// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.dedup.claim.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/writing-a-store.md shows is code that compiles and passes. */
class WritingAStoreTest {

  private static final Path PAGE = Path.of("..", "docs", "writing-a-store.md");
  private static final List<String> SOURCES =
      List.of(
          "src/test/java/io/dedup/testkit/example/MapStore.java",
          "src/test/java/io/dedup/testkit/example/MapStoreTest.java",
          "src/test/java/io/dedup/testkit/NetworkedStoreTest.java");
  private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);

  @Test
  void everySnippetIsPartOfATest() throws IOException {
    List<String> sources = SOURCES.stream().map(Path::of).map(WritingAStoreTest::read).toList();
    List<String> snippets =
        JAVA.matcher(Files.readString(PAGE)).results().map(WritingAStoreTest::code).toList();
    assertThat(snippets).hasSizeGreaterThanOrEqualTo(3);
    assertThat(snippets)
        .allSatisfy(snippet -> assertThat(sources).anyMatch(source -> source.contains(snippet)));
  }

  @Test
  void everyStateIsExplained() throws IOException {
    assertThat(Files.readString(PAGE))
        .contains(Arrays.stream(State.values()).map(State::name).toList());
  }

  private static String code(MatchResult block) {
    return withoutIndents(block.group(1));
  }

  private static String read(Path source) {
    try {
      return withoutIndents(Files.readString(source));
    } catch (IOException e) {
      throw new AssertionError(source + " cannot be read", e);
    }
  }

  private static String withoutIndents(String code) {
    return code.lines().map(String::strip).collect(Collectors.joining("\n"));
  }
}
