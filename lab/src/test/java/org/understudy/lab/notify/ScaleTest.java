package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class ScaleTest {
  @Test
  void theFewerTheSubscribersTheMoreUpdatesWithinBounds() {
    assertEquals(200, Scale.FULL.updates(1));
    assertEquals(200, Scale.FULL.updates(1_000));
    assertEquals(60, Scale.FULL.updates(5_000));
    assertEquals(30, Scale.FULL.updates(10_000));
    assertEquals(7, Scale.FULL.withUpdates(7).updates(10_000));
  }

  @Test
  void tooFewOpenFilesAreReportedBeforeTheStart() {
    assertDoesNotThrow(() -> NotifyBench.checkFiles(10_000, 20_000));
    IOException refusal = assertThrows(IOException.class, () -> NotifyBench.checkFiles(10_000, 1_024));
    assertTrue(refusal.getMessage().contains("ulimit -n 11000"), refusal.getMessage());
  }

  @Test
  void invalidInputIsRefused() {
    assertEquals(2, new CommandLine(new NotifyBench()).execute("--cluster", "x", "--subscribers", "1,0"));
    assertEquals(2, new CommandLine(new NotifyBench()).execute("--cluster", "x", "--updates", "0"));
  }
}
