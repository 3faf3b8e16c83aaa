package org.understudy.test;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Stream;

/**
 * Records what loggers write while it is open. Other tests of the same JVM may have silenced these loggers: the recorder sets their
 * level, and keeps the loggers themselves, which {@code java.util.logging} forgets with their settings when nothing refers to them.
 * What is recorded does not reach the handlers of loggers above. Any thread may write; the thread that opened the recorder closes it,
 * which restores what it changed.
 */
public final class LogRecorder implements AutoCloseable {
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Handler() {
    @Override
    public void publish(LogRecord entry) {
      if (isLoggable(entry)) {
        records.add(entry);
      }
    }

    @Override
    public void flush() {
      // Nothing is buffered.
    }

    @Override
    public void close() {
      // Nothing is open.
    }
  };
  private final List<Recorded> loggers;

  /** A logger, and what it was set to before. */
  private record Recorded(Logger logger, Level level, boolean parents) {}

  private LogRecorder(Level level, Stream<String> names) {
    handler.setLevel(level);
    this.loggers = names.map(Logger::getLogger).map(logger -> new Recorded(logger, logger.getLevel(), logger.getUseParentHandlers()))
        .toList();
    for (Recorded one : loggers) {
      one.logger.setLevel(level);
      one.logger.setUseParentHandlers(false);
      one.logger.addHandler(handler);
    }
  }

  /** Records all that these classes log, each by the logger of its name. */
  public static LogRecorder of(Class<?>... types) {
    return new LogRecorder(Level.ALL, Stream.of(types).map(Class::getName));
  }

  /**
   * Records what these loggers, and those below them, write.
   *
   * @param level the lowest that is recorded
   * @param names the empty text is the logger above all others
   */
  public static LogRecorder of(Level level, String... names) {
    return new LogRecorder(level, Stream.of(names));
  }

  /** Returns what was written since the recorder was opened or cleared. */
  public List<LogRecord> records() {
    return List.copyOf(records);
  }

  /** Returns the messages of the {@link #records}, with their parameters. */
  public List<String> lines() {
    SimpleFormatter formatter = new SimpleFormatter();
    return records.stream().map(formatter::formatMessage).toList();
  }

  /** Returns whether a line with this text was written. */
  public boolean has(String text) {
    return lines().stream().anyMatch(line -> line.contains(text));
  }

  /** Forgets what was written so far. */
  public void clear() {
    records.clear();
  }

  @Override
  public void close() {
    for (Recorded one : loggers) {
      one.logger.removeHandler(handler);
      one.logger.setLevel(one.level);
      one.logger.setUseParentHandlers(one.parents);
    }
  }
}
