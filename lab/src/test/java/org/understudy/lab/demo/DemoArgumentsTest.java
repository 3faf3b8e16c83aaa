package org.understudy.lab.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoArgumentsTest {
  private final StringWriter errors = new StringWriter();

  private int run(String cluster, String... words) {
    String[] all = new String[words.length + 2];
    all[0] = "--cluster";
    all[1] = cluster;
    System.arraycopy(words, 0, all, 2, words.length);
    return Demo.commandLine().setErr(new PrintWriter(errors)).execute(all);
  }

  @ParameterizedTest
  @CsvSource({
    "--clients, 0, '--clients is 1 at least, not 0.'",
    "--clients, x, 'Invalid value for option'",
    "--pace, 0, '--pace is 1 at least, not 0.'",
    "--strategy, gruop, '--strategy is primary-backup or group, not gruop.'",
    "--transfer, pigeon, '--transfer is socket, call or notification, not pigeon.'",
    "--channel, jgroups, '--channel needs --strategy group: primary-backup takes no channel.'",
    "--channel, log, '--channel needs --strategy group: primary-backup takes no channel.'",
    "--service, none, '--service is counter or matchmaker, not none.'"
  })
  void anInvalidOptionIsReportedInOneLineBeforeAnythingStarts(String option, String value, String said) {
    assertEquals(2, run("no-such-script", option, value));
    assertTrue(errors.toString().startsWith("demo: " + said), errors::toString);
    assertEquals(1, errors.toString().lines().count(), errors::toString);
  }

  @Test
  void whatTheClusterReportsIsReportedWithoutAStackTrace(@TempDir Path directory) throws Exception {
    Path cluster = Files.writeString(directory.resolve("cluster"), "#!/bin/sh\necho cluster: port 8481 is in use >&2\nexit 1\n");
    Files.setPosixFilePermissions(cluster, PosixFilePermissions.fromString("rwx------"));
    assertEquals(1, run(cluster.toString()));
    assertTrue(errors.toString().strip().endsWith("failed: cluster: port 8481 is in use"), errors::toString);
    assertEquals(1, errors.toString().lines().count(), errors::toString);
  }
}
