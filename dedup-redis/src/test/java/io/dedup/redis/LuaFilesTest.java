// SPDX-License-Identifier: Apache-2.0
package io.dedup.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LuaFilesTest {

  private static final Pattern COMMAND =
      Pattern.compile("redis\\.p?call\\(([^,)]*)(?:, (unpack\\(KEYS\\)|[^,)]*))?");
  private static final Set<String> SHARED = Set.of("record.lua", "compact.lua", "run.lua");

  static List<Path> files() throws IOException, URISyntaxException {
    Path folder = Path.of(Script.class.getResource("record.lua").toURI()).getParent();
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".lua")).sorted().toList();
    }
  }

  @Test
  void thereIsAFileForEachVerb() throws Exception {
    Set<String> names =
        files().stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
    Set<String> verbs =
        Arrays.stream(Verb.values()).map(v -> v.file() + ".lua").collect(Collectors.toSet());
    verbs.addAll(SHARED);

    assertThat(names).isEqualTo(verbs);
  }

  @ParameterizedTest
  @MethodSource("files")
  void onlyTheKeysOfTheCallAreTouched(Path file) {
    Matcher commands = COMMAND.matcher(text(file));
    while (commands.find()) {
      boolean hasNoKey = commands.group(1).equals("'TIME'");
      if (!hasNoKey) {
        // `key` is a parameter everywhere but in run.lua, where it is an element of KEYS. The names
        // of an index and a page are made of one, and have its hash tag.
        assertThat(commands.group(2))
            .as(commands.group())
            .isIn("key", "KEYS[1]", "unpack(KEYS)", "index", "page");
      }
    }
    assertThat(text(file)).doesNotContain("local key ", "key = ");
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileSaysWhatItDoesBeforeItDoesIt(Path file) {
    List<String> head = text(file).lines().takeWhile(line -> line.startsWith("--")).toList();

    assertThat(head).hasSizeGreaterThan(2);
    if (!SHARED.contains(file.getFileName().toString())) {
      assertThat(head).anyMatch(line -> line.startsWith("-- Request "));
      assertThat(head).anyMatch(line -> line.startsWith("-- Replies:"));
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void numbersAreNotJoinedToTextByConcatenation(Path file) {
    // Lua's .. writes 14 digits of a number; a token has 16.
    assertThat(
            text(file)
                .lines()
                .filter(line -> line.matches(".*\\.\\. *(now|.*token|.*expires)\\b.*")))
        .isEmpty();
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
