package org.understudy.replication.runtime.record;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The command of an operator on the journal of a stopped replica; see scripts/recover. */
public final class JournalCommand {
  private JournalCommand() {}

  /** @param words the replica's directory; then nothing, {@code set-aside}, or {@code keep RECORD} and optionally {@code view=VIEW} */
  public static void main(String[] words) {
    try {
      System.out.println(run(Path.of(words[0]).toAbsolutePath().normalize(), List.of(words).subList(1, words.length)));
    } catch (IOException e) {
      System.err.println("recover: not done: " + e.getMessage());
      System.exit(1);
    }
  }

  /** @return what to print */
  static String run(Path directory, List<String> words) throws IOException {
    try (JournalRecovery recovery = JournalRecovery.open(directory)) {
      String command = String.join(" ", words);
      if (command.isEmpty()) {
        return recovery.report();
      }
      if (command.equals("set-aside")) {
        return recovery.setAside();
      }
      if (command.matches("keep [0-9]{1,18}( view=[0-9]{1,18})?")) {
        long view = words.size() < 3 ? 0 : Long.parseLong(words.get(2).substring("view=".length()));
        return recovery.keep(Long.parseLong(words.get(1)), view);
      }
      throw new IOException("\"" + command + "\" is unknown. It is set-aside, or keep RECORD, or keep RECORD view=VIEW.");
    }
  }
}
