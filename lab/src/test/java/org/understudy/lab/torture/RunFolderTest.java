package org.understudy.lab.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {
  @Test
  void theFolderOfAnInterruptedRunIsRemovedByTheNextOne(@TempDir Path parent) throws IOException {
    Path interrupted = Files.createDirectories(parent.resolve("torture-1-a"));
    Files.createFile(interrupted.resolve("lock"));
    Files.writeString(Files.createDirectory(interrupted.resolve("1")).resolve("log"), "text");
    Path failed = Files.createDirectories(parent.resolve("torture-1-b"));
    Files.createFile(failed.resolve("lock"));
    Files.createFile(failed.resolve(RunFolder.HISTORY));
    Path foreign = Files.createDirectories(parent.resolve("8080"));
    try (RunFolder made = RunFolder.create(parent, 7)) {
      assertTrue(made.path().getFileName().toString().startsWith("torture-7-"), made.path().toString());
      assertEquals(parent, made.path().getParent());
      assertFalse(Files.exists(interrupted));
      assertTrue(Files.exists(failed), "a run that found something keeps its files");
      assertTrue(Files.exists(foreign));
      made.delete();
      assertFalse(Files.exists(made.path()));
    }
  }
}
