package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.DelegationPolicy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.group.GroupWithNaiveTransfer;

/** The strategy {@code group} (Bartoli et al. 2005): its own scenarios, those of primary-backup, histories, and mutants. */
class GroupReplicationTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.group.seeds", 150);
  private static final int MAX_SEEDS = 400;

  /**
   * One resource that many clients change is slower than with primary-backup, which commits before stability. A handle of no state does
   * not wait, but is refused. No step leaves work for a second one.
   */
  private static final Set<String> OF_PRIMARY_BACKUP =
      Set.of(
          "flood-of-message-ids.txt", "given-up-requests.txt", "primary-dies-before-it-applies.txt", "backup-dies-before-it-applies.txt",
          "primary-without-its-database.txt", "one-backup-does-not-reach-the-database.txt", "joiner-behind-a-full-link.txt");

  private static final ReplicationStrategy DELEGATING = new GroupReplication(DelegationPolicy.EAGER);

  /** Rules of delegations. */
  private static final Set<Rule> OF_DELEGATIONS =
      EnumSet.of(
          Rule.DELEGATED_ORDER_IS_NOT_USED, Rule.RETURN_AWAITS_UPDATES, Rule.DELEGATE_HOLDS_ALL, Rule.RECALLED_DELEGATION_IS_VOID,
          Rule.PROPOSER_COUNTS_THE_SEQUENCER);

  /** Rules that its own stories show. */
  private static final Set<Rule> IN_STORIES =
      EnumSet.of(
          Rule.TURN_AFTER_REFUSALS, Rule.PROPOSED_IS_NOT_REFUSED, Rule.REPETITION_IS_NOT_REFUSED, Rule.JOINER_INVITED_UNDER_LOAD,
          Rule.LATE_JOINER_INVITED_AT_LAST, Rule.LIMITS_AT_THE_PLACE, Rule.PROPOSER_COUNTS_EVERY_MEMBER,
          Rule.READ_INDEX_OF_EVERY_PLACE, Rule.READS_SEE_ONE_STATE, Rule.RENEWED_WHERE_SESSIONS_END, Rule.TURN_EXCLUDES_ITS_KEYS,
          Rule.STARVED_REQUEST_FAILS, Rule.READS_KEEP_SESSIONS, Rule.RUNS_KEEP_SESSIONS, Rule.MEMBER_WRITABLE_WHILE_HEARD);

  static List<Path> files(String directory) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources", directory))) {
      return files.sorted().toList();
    }
  }

  static List<Path> ownStories() throws IOException {
    return files("group-scenarios");
  }

  static List<Path> sharedStories() throws IOException {
    return files("scenarios").stream().filter(file -> !OF_PRIMARY_BACKUP.contains(file.getFileName().toString())).toList();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"ownStories", "sharedStories"})
  void storiesEndAsTold(Path story) throws IOException {
    assertEquals(List.of(), Scenario.play(Files.readAllLines(story), new GroupReplication(), Rule.ALL));
  }

  @Test
  void historiesAreLinearizableAndExactlyOnce() {
    run(3, COUNT);
    run(1, COUNT / 15);
    run(2, COUNT / 15);
    run(5, COUNT / 10);
  }

  /** Runs last for longer than view changes and turns, and some for longer than they may. */
  @Test
  void historiesWithSlowUpdatesAreLinearizableAndExactlyOnce() {
    for (long seed = FIRST; seed < FIRST + COUNT / 5; seed++) {
      assertEquals(
          List.of(), new Simulation(seed, 3, new GroupReplication(), Rule.ALL).withSlowUpdates().run(), "seed " + seed);
    }
  }

  /** The sequencer delegates the order whenever it may, so that most updates are placed by delegates, or wait for a return. */
  @Test
  void historiesWithManyDelegationsAreLinearizableAndExactlyOnce() {
    run(3, COUNT / 2, DELEGATING);
    run(2, COUNT / 10, DELEGATING);
    run(5, COUNT / 10, DELEGATING);
  }

  private static void run(int size, int count) {
    run(size, count, new GroupReplication());
  }

  private static void run(int size, int count, ReplicationStrategy strategy) {
    Campaign campaign = new Campaign(size + " replicas, group", seed -> new Simulation(seed, size, strategy, Rule.ALL));
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    campaign.violations().forEach((seed, violations) ->
        assertEquals("", violations.get(0) + ", seed " + seed + " with " + size + " replicas"));
  }

  /** It sends the whole state to all replicas although the joiner has it, and the service waits. */
  @Test
  void naiveTransferIsComparable() {
    List<String> story =
        List.of(
            "replicas 3",
            "client A adds 0 every 20 ms for 2000 ms",
            "2000 ms pass",
            "replica 3 is cut off from the other replicas",
            "replica 3 is left out",
            "replica 2 counts what it receives",
            "replica 3 counts what it receives",
            "all links are healed",
            "replica 3 is receiving the state",
            "client A adds 5 and is told 5",
            "all are in the view",
            "replica 2 has received 85 to 130 resources",
            "replica 3 has received 85 to 130 resources");
    assertEquals(List.of(), Scenario.play(story, new GroupWithNaiveTransfer(), Rule.ALL));
    for (int seed = 1; seed <= COUNT / 5; seed++) {
      assertEquals(List.of(), new Simulation(seed, 3, new GroupWithNaiveTransfer(), Rule.ALL).run(), "seed " + seed);
    }
  }

  /** Those of the strategy alone, and those whose code differs where every member executes. */
  static Set<Rule> rules() {
    Set<Rule> rules = EnumSet.copyOf(Rule.OF_GROUP);
    rules.add(Rule.READS_KEEP_SESSIONS);
    rules.add(Rule.READS_SEE_ONE_STATE);
    rules.add(Rule.RUNS_KEEP_SESSIONS);
    return rules;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void mutantIsCaught(Rule rule) {
    String caught = IN_STORIES.contains(rule) ? failedStory(rule) : failedSeed(rule);
    assertNotNull(caught, "no checker noticed the group without " + rule);
    System.out.printf("group without %-28s caught by %s%n", rule, caught);
  }

  private static String failedStory(Rule rule) {
    try {
      for (Path story : ownStories()) {
        if (!Scenario.play(Files.readAllLines(story), new GroupReplication(), Rule.allBut(rule)).isEmpty()) {
          return story.getFileName().toString();
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String failedSeed(Rule rule) {
    ReplicationStrategy strategy = OF_DELEGATIONS.contains(rule) ? DELEGATING : new GroupReplication();
    for (int seed = 1; seed <= MAX_SEEDS; seed++) {
      List<String> violations = new Simulation(seed, 3, strategy, Rule.allBut(rule)).run();
      if (!violations.isEmpty()) {
        return violations.get(0).substring(0, violations.get(0).indexOf(':')) + " after " + seed + " seeds";
      }
    }
    return null;
  }
}
