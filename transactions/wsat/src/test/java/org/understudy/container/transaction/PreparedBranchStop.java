package org.understudy.container.transaction;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stops or kills this process when a part of a transaction is prepared in the database, and not in the log. */
public final class PreparedBranchStop {
  private static final String FILE = "signal";

  private PreparedBranchStop() {}

  /** Lets the process read its orders in a directory. */
  public static void obey(Path directory) {
    Path order = directory.resolve(FILE);
    Failpoint.listen((point, group, replica, transaction) -> {
      if (point == Failpoint.PREPARED_BEFORE && Files.exists(order)) {
        try {
          String signal = Files.readString(order);
          Files.delete(order);
          new ProcessBuilder("kill", "-" + signal, Long.toString(ProcessHandle.current().pid())).start().waitFor();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    });
  }

  /** Orders a process to send itself a signal, once. */
  public static void order(Path directory, String signal) throws IOException {
    Files.writeString(directory.resolve(FILE), signal);
  }

  /** Whether the order is still to be carried out. */
  public static boolean isOrdered(Path directory) {
    return Files.exists(directory.resolve(FILE));
  }
}
