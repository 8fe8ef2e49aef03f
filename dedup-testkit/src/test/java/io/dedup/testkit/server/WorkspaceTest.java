// SPDX-License-Identifier: Apache-2.0
package io.dedup.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkspaceTest {

  @TempDir private Path temporary;
  private Process owner;
  private ProcessHandle redis;

  @BeforeEach
  void anotherJvmStartsARedis() throws IOException {
    owner =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty("java.class.path"),
                LeftBehind.class.getName())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    BufferedReader said = owner.inputReader();
    redis = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
    assertThat(redis.isAlive()).isTrue();
  }

  @AfterEach
  void nothingIsLeft() {
    Processes.kill(owner.toHandle());
    Processes.kill(redis);
  }

  @Test
  void aServerThatAKilledJvmLeftBehindIsEndedByTheNextRun() throws Exception {
    owner.destroyForcibly().waitFor();
    assertThat(redis.isAlive()).as("a server outlives a killed owner").isTrue();
    Workspace.sweep(runs());
    assertThat(hasEnded(redis)).isTrue();
    assertThat(folders()).isEmpty();
  }

  @Test
  void aServerWhoseOwnerLivesIsLeftAlone() throws IOException {
    Workspace.sweep(runs());
    assertThat(hasEnded(redis)).isFalse();
    assertThat(folders()).hasSize(1);
  }

  @Test
  void aServerThatNobodyClosedEndsWithItsJvm() throws Exception {
    owner.outputWriter().append("end\n").close();
    owner.waitFor();
    assertThat(hasEnded(redis)).isTrue();
    assertThat(folders()).isEmpty();
  }

  @Test
  void aProcessThatHasGotTheNumberOfAServerIsLeftAlone() {
    ProcessRecord right = ProcessRecord.of("redis", redis, executable());
    assertThat(right.find()).isPresent();
    Instant earlier = right.started().minusSeconds(60);
    assertThat(new ProcessRecord("redis", redis.pid(), earlier, executable()).find()).isEmpty();
    Path other = Path.of("/usr/sbin/other");
    assertThat(new ProcessRecord("redis", redis.pid(), right.started(), other).find()).isEmpty();
  }

  @Test
  void aRecordIsReadAsItWasWrittenAndAnythingElseIsNone() throws IOException {
    ProcessRecord record = ProcessRecord.of("redis", redis, executable());
    record.write(temporary.resolve("1"));
    assertThat(ProcessRecord.read(temporary.resolve("1"))).contains(record);
    Path torn = Files.writeString(temporary.resolve("2"), "kind=redis\npid=");
    assertThat(ProcessRecord.read(torn)).isEmpty();
  }

  private Path executable() {
    return Path.of(redis.info().command().orElseThrow());
  }

  private static boolean hasEnded(ProcessHandle process) {
    return !process.isAlive() || process.info().command().isEmpty();
  }

  private Path runs() {
    return temporary.resolve("dedup-testkit-" + System.getProperty("user.name")).resolve("runs");
  }

  private List<Path> folders() throws IOException {
    List<Path> folders = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(runs())) {
      all.forEach(folders::add);
    }
    return folders;
  }
}
