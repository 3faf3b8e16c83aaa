package org.understudy.replication.core.wire;

/**
 * The versions of replicated and transferred data that a replica reads; it writes each of them too. Every change of their
 * encoding needs a new version, because a reader skips nothing unknown. The content of a stored response counts too: the replica that
 * sends it may not be the one that made it.
 *
 * <table>
 * <caption>The versions of this build</caption>
 * <tr><td>1</td><td>the first</td></tr>
 * <tr><td>2</td><td>a stored response may contain header blocks of the service</td></tr>
 * <tr><td>3</td><td>a state transfer may rely on what the joiner holds</td></tr>
 * <tr><td>4</td><td>an update may be prepared, or decide one that is</td></tr>
 * <tr><td>5</td><td>the coordinator of a transaction may decide a prepared update; a mark may contain an update</td></tr>
 * <tr><td>6</td><td>members acknowledge an update to its proposer too, which answers before the sequencer knows that it is stable</td></tr>
 * <tr><td>7</td><td>nothing; replicas that read it answer marked frames of a peer connection on that connection</td></tr>
 * <tr><td>8</td><td>a turn may name the keys of which it excludes changes; a member names to the sequencer the sessions whose renewals it
 * answers</td></tr>
 * <tr><td>9</td><td>a member whose client has seen more than it knows to be stable asks the sequencer, whose notice may wait; the
 * sequencer may delegate the order to a member</td></tr>
 * <tr><td>10</td><td>a large resource travels in slices in a state transfer</td></tr>
 * <tr><td>11</td><td>nothing; replicas that read it report their links to each other and pass messages on</td></tr>
 * </table>
 *
 * @param oldest the lowest, from 1
 * @param newest the highest, at most 255
 */
public record WireVersions(int oldest, int newest) {
  /** The versions of this build. */
  public static final WireVersions CURRENT = new WireVersions(1, 11);

  /** The version from which a stored response may contain header blocks of the service. */
  public static final int RESPONSE_HEADERS = 2;

  /** The version from which a state transfer contains versions and may rely on what the joiner holds. */
  public static final int HOLDINGS = 3;

  /** The version from which updates may be prepared, and decided later. */
  public static final int DECISIONS = 4;

  /** The version from which the coordinator of a transaction may decide a prepared update. */
  public static final int TRANSACTIONS = 5;

  /** The version from which a mark may contain the update that takes effect. */
  public static final int MARKS_WITH_UPDATES = 5;

  /** The version from which members acknowledge an update to its proposer too. */
  public static final int PROPOSERS_COUNT = 6;

  /** The version from which a replica answers marked frames on the connection on which they came. */
  public static final int ANSWERED_FRAMES = 7;

  /** The version from which a member names to the sequencer the sessions whose renewals it answers. */
  public static final int RENEWALS = 8;

  /** The version from which a turn may name keys, so that it excludes only runs that change one of them. */
  public static final int TURNS_OF_KEYS = 8;

  /** The version from which members ask what is stable when a client has seen more, so that the sequencer need not tell them at once. */
  public static final int MEMBERS_ASK = 9;

  /** The version from which the sequencer of a group may let a member place its own proposals. */
  public static final int DELEGATIONS = 9;

  /** The version from which a state transfer may contain slices of a resource. */
  public static final int SLICES = 10;

  /** The version from which replicas pass the messages of others on. */
  public static final int RELAYS = 11;

  private static final int MAX = 255;

  public WireVersions {
    if (oldest < 1 || newest < oldest || newest > MAX) {
      throw new IllegalArgumentException("Wire versions are from 1 to " + MAX + ", not " + oldest + " to " + newest + ".");
    }
  }

  public boolean reads(int version) {
    return oldest <= version && version <= newest;
  }

  /** Whether both ranges share a version. */
  public boolean meets(WireVersions other) {
    return oldest <= other.newest && other.oldest <= newest;
  }

  /** The text for logs: {@code version 1}, {@code versions 1 to 2}. */
  @Override
  public String toString() {
    return oldest == newest ? "version " + newest : "versions " + oldest + " to " + newest;
  }
}
