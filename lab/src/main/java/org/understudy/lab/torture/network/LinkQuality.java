package org.understudy.lab.torture.network;

/**
 * What one direction of a link is like.
 *
 * @param delayMillis of everything
 * @param jitterMillis is added: up to so much, evenly
 * @param heavyTail mostly little of the jitter is added, and sometimes several times as much, as when a packet is sent again
 * @param kilobits the bandwidth in a second; 0 for no limit
 */
public record LinkQuality(int delayMillis, int jitterMillis, boolean heavyTail, int kilobits) {
  /** Short and wide. */
  public static final LinkQuality NONE = new LinkQuality(0, 0, false, 0);

  private static final String HEAVY_TAIL = "tail";

  /**
   * Reads {@code DELAY[,JITTER[,tail]]}, with ms.
   *
   * @throws IllegalArgumentException if it is something else
   */
  public static LinkQuality ofDelay(String text) {
    String[] words = text.split(",", -1);
    boolean tail = words.length == 3 && words[2].equals(HEAVY_TAIL);
    if (words.length > 3 || words.length == 3 && !tail) {
      throw new IllegalArgumentException("not DELAY[,JITTER[,tail]]: " + text);
    }
    int jitter = words.length > 1 ? millis(words[1]) : 0;
    return new LinkQuality(millis(words[0]), jitter, tail, 0);
  }

  private static int millis(String word) {
    int millis = Integer.parseInt(word);
    if (millis < 0 || millis > 10_000) {
      throw new IllegalArgumentException("not from 0 to 10000 ms: " + word);
    }
    return millis;
  }

  /** The same with another bandwidth. */
  public LinkQuality withRate(int kilobitsInSecond) {
    return new LinkQuality(delayMillis, jitterMillis, heavyTail, kilobitsInSecond);
  }

  /** The same, longer. */
  LinkQuality plus(int moreMillis, int moreJitterMillis) {
    return new LinkQuality(delayMillis + moreMillis, jitterMillis + moreJitterMillis, heavyTail, kilobits);
  }

  /** For people. */
  public String describe() {
    String jitter = jitterMillis == 0 ? "" : " and " + (heavyTail ? "mostly less than " : "up to ") + jitterMillis + " ms more";
    return delayMillis + " ms" + jitter + (kilobits == 0 ? "" : ", " + kilobits + " kbit/s") + " in each direction";
  }

  /** One word, for {@link #ofWord}. */
  String word() {
    return delayMillis + ":" + jitterMillis + ":" + heavyTail + ":" + kilobits;
  }

  static LinkQuality ofWord(String word) {
    String[] parts = word.split(":");
    return new LinkQuality(
        Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Boolean.parseBoolean(parts[2]), Integer.parseInt(parts[3]));
  }
}
