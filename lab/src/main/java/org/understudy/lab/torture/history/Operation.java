package org.understudy.lab.torture.history;

/**
 * One operation of one client on one counter. All attempts of a client to have it executed are one operation.
 *
 * @param client its client; a client has one session and one operation at a time
 * @param level of an update or of a read
 * @param resource the counter
 * @param amount what an update adds; 0 for a read
 * @param value the counter's value after an update, or that a read returned; 0 unless the outcome is ok
 * @param invoked when it began, in ns
 * @param returned when it ended, in ns on the same clock
 * @param replica the replica that was asked and answered, or 0 if it is not known
 */
public record Operation(
    String client, Level level, int resource, int amount, int value, long invoked, long returned, Outcome outcome, int replica) {

  public boolean update() {
    return level == Level.UPDATE;
  }

  public boolean ok() {
    return outcome == Outcome.OK;
  }

  /** For people. */
  public String describe() {
    StringBuilder text = new StringBuilder(client).append(update() ? " add(" + amount + ")" : " " + level.word() + " read")
        .append(" of counter ").append(resource).append(ok() ? " = " + value : " " + outcome.word());
    if (replica != 0) {
      text.append(" at replica ").append(replica);
    }
    return text.append(String.format(" [%.3f s to %.3f s]", invoked / 1e9, returned / 1e9)).toString();
  }
}
