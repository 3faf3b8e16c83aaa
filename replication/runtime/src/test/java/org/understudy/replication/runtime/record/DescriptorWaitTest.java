package org.understudy.replication.runtime.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DescriptorWaitTest {
  @TempDir Path directory;
  private final AtomicInteger attempts = new AtomicInteger();

  /** Fails in this way twice, and then opens a file. */
  private FileChannel open(String reason) throws Exception {
    return DescriptorWait.open(
        () -> {
          if (attempts.incrementAndGet() <= 2) {
            throw new FileSystemException("membership.new", null, reason);
          }
          return FileChannel.open(directory.resolve("membership.new"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        });
  }

  @Test
  void aFileIsOpenedWhenADescriptorIsFreeAgain() throws Exception {
    try (FileChannel opened = open("Too many open files")) {
      assertTrue(opened.isOpen());
    }
    assertEquals(3, attempts.get());
  }

  @Test
  void otherFailuresAreReportedAtOnce() {
    assertThrows(FileSystemException.class, () -> open("No space left on device"));
    assertThrows(FileSystemException.class, () -> open(null));
    assertEquals(2, attempts.get());
  }
}
