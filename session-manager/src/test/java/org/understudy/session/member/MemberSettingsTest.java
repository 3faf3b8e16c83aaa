package org.understudy.session.member;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** A wrong attribute of the element stops the start with a sentence that names it. */
class MemberSettingsTest {
  private static final String PEERS = "1=127.0.0.1:17001,2=127.0.0.1:17002";
  private static final String SECRET = "a secret of sixteen characters";

  @TempDir
  private Path directory;

  private void refused(String names, String replica, String peers, String secret, String strategy, long heartbeatMs) {
    refused(names, replica, peers, secret, strategy, false, false, heartbeatMs);
  }

  private void refused(
      String names, String replica, String peers, String secret, String strategy, boolean journal, boolean empty, long heartbeatMs) {
    MemberSettings settings = settings(replica, peers, secret, strategy, journal, empty, heartbeatMs);
    SettingsException refusal = assertThrows(SettingsException.class, () -> Member.open(settings, new TreeMap<>()));
    assertTrue(refusal.getMessage().contains(names), refusal.getMessage());
  }

  private MemberSettings settings(
      String replica, String peers, String secret, String strategy, boolean journal, boolean empty, long heartbeatMs) {
    return new MemberSettings(
        "shop", strategy, replica, peers, secret, directory.toString(), journal, empty, Duration.ofMillis(heartbeatMs),
        Duration.ofSeconds(1), Duration.ofSeconds(60), 10, 1_000_000, 1_000, 50, null, false);
  }

  /** With the strategy group, a proposer without a journal would count the share of a sequencer that has not synced it. */
  @Test
  void replicasOfAGroupCompareWhetherTheyKeepAJournal() {
    MemberSettings with = settings("1", PEERS, SECRET, "group", true, false, 100);
    MemberSettings without = settings("2", PEERS, SECRET, "group", false, false, 100);
    ReplicationStrategy group = new GroupReplication();
    assertNotEquals(Member.announced(with, group, new TreeMap<>()), Member.announced(without, group, new TreeMap<>()));
    ReplicationStrategy other = new PrimaryBackup();
    assertEquals(Member.announced(with, other, new TreeMap<>()), Member.announced(without, other, new TreeMap<>()));
  }

  @Test
  void eachWrongAttributeIsNamed() {
    refused("replica", null, PEERS, SECRET, "group", 100);
    refused("replica", "one", PEERS, SECRET, "group", 100);
    refused("not this replica", "3", PEERS, SECRET, "group", 100);
    refused("peers", "1", null, SECRET, "group", 100);
    refused("peers", "1", "1=127.0.0.1", SECRET, "group", 100);
    refused("twice", "1", "1=127.0.0.1:17001,1=127.0.0.1:17002", SECRET, "group", 100);
    refused("a group of its own", "1", "1=127.0.0.1:17001", SECRET, "group", 100);
    refused("not loopback", "1", "1=192.0.2.1:17001,2=192.0.2.2:17002", SECRET, "group", 100);
    refused("secret", "1", PEERS, "short", "group", 100);
    refused("strategy", "1", PEERS, SECRET, "quorum", 100);
    refused("does not replicate", "1", PEERS, SECRET, "none", 100);
    refused("heartbeatMs", "1", PEERS, SECRET, "group", 900);
    refused("the strategy none keeps no journal. Set it to none", "1", PEERS, SECRET, "none", true, false, 100);
    refused("the strategy none cannot start without its state. Set it to wait", "1", PEERS, SECRET, "none", false, true, 100);
  }
}
