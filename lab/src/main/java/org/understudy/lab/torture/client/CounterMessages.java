package org.understudy.lab.torture.client;

import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.torture.history.Level;

/** Parts of messages, SOAP 1.1, as a client that knows no stub writes and reads them. */
final class CounterMessages {
  private static final Pattern RESULT =
      Pattern.compile("<(?:\\w+:)?(?:addResponse|getValueResponse|valueResponse)\\b[^>]*>(?:\\s*<[^>]*>)?\\s*(-?\\d+)");
  private static final Pattern HANDLE = Pattern.compile("VersionHandle>\\s*(\\d+)\\.(\\d+)\\s*<");
  private static final Pattern EXECUTED = Pattern.compile("Executed>\\s*(\\w+)\\s*<");

  /**
   * A version of the group that a client has seen.
   *
   * @param epoch the view's number
   * @param position in the order of updates
   */
  record Handle(long epoch, long position) {
    Handle max(Handle other) {
      boolean later = other.epoch > epoch || other.epoch == epoch && other.position > position;
      return later ? other : this;
    }
  }

  private CounterMessages() {}

  /**
   * The header of a read.
   *
   * @param level null for no header of ours
   * @param seen the client's version handle, or null
   */
  static String readHeader(Level level, Handle seen) {
    return level == null ? "" : "<ur:ReplicationHeader>"
        + (seen == null ? "" : "<ur:VersionHandle>" + seen.epoch() + "." + seen.position() + "</ur:VersionHandle>")
        + "<ur:ReadLevel>" + level.word() + "</ur:ReadLevel></ur:ReplicationHeader>";
  }

  /** The counter's value in an answer, if it is a result. */
  static OptionalInt result(String answer) {
    Matcher found = RESULT.matcher(answer);
    return found.find() ? OptionalInt.of(Integer.parseInt(found.group(1))) : OptionalInt.empty();
  }

  /** The version in an answer, or null. */
  static Handle handle(String answer) {
    Matcher found = HANDLE.matcher(answer);
    return found.find() ? new Handle(Long.parseLong(found.group(1)), Long.parseLong(found.group(2))) : null;
  }

  /** Whether a fault reports that this attempt was not executed and never will be. */
  static boolean notExecuted(String answer) {
    Matcher found = EXECUTED.matcher(answer);
    return found.find() && found.group(1).equals("no");
  }
}
