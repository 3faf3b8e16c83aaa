package org.understudy.wsat.store;

import com.arjuna.mwlabs.wscf.model.twophase.arjunacore.ATCoordinator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Halts this process inside its store's write or removal of a coordinator's decision, as a kill or a loss of power would. */
public final class StoreHalt {
  /** The exit status of a process that has halted. */
  public static final int STATUS = 17;
  private static final String FILE = "halt";

  private StoreHalt() {}

  /** A moment, and what a loss of power does to the file that is written then. */
  public enum Moment {
    BEFORE_WRITE(StoreFailpoint.WRITE_BEFORE, false),
    HALF_WRITTEN(StoreFailpoint.WRITE_UNFORCED, true),
    NOT_FORCED(StoreFailpoint.WRITE_UNFORCED, false),
    NOT_IN_PLACE(StoreFailpoint.WRITE_UNPLACED, false),
    IN_PLACE(StoreFailpoint.WRITE_PLACED, false),
    WRITTEN(StoreFailpoint.WRITE_AFTER, false),
    BEFORE_REMOVAL(StoreFailpoint.REMOVE_BEFORE, false),
    REMOVED(StoreFailpoint.REMOVE_AFTER, false);

    private final StoreFailpoint point;
    private final boolean torn;

    Moment(StoreFailpoint point, boolean torn) {
      this.point = point;
      this.torn = torn;
    }

    /** Whether a restart finds the record if it was not there before. */
    public boolean isDecided() {
      return point.compareTo(StoreFailpoint.WRITE_PLACED) >= 0;
    }
  }

  /** Lets the process read its orders in a directory. */
  public static void obey(Path directory) {
    Path order = directory.resolve(FILE);
    StoreFailpoint.listen((point, type, file) -> {
      if (type.equals(new ATCoordinator().type()) && Files.exists(order)) {
        try {
          Moment moment = Moment.valueOf(Files.readString(order));
          if (moment.point == point) {
            Files.delete(order);
            halt(file, moment.torn);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    });
  }

  private static void halt(Path file, boolean torn) throws IOException {
    if (torn) {
      tear(file);
    }
    Runtime.getRuntime().halt(STATUS);
  }

  /** Removes the second half of a file. */
  public static void tear(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() / 2);
    }
  }

  /** Orders a process to halt, once. */
  public static void order(Path directory, Moment moment) throws IOException {
    Files.writeString(directory.resolve(FILE), moment.name());
  }
}
