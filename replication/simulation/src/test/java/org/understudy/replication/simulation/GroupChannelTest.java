package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;

/** The strategy {@code group} over a group channel that keeps nothing but what channels promise: histories, and mutants. */
class GroupChannelTest {
  private static final long FIRST = Long.getLong("understudy.seed", 1);
  private static final int COUNT = Integer.getInteger("understudy.group.seeds", 150);
  private static final int MAX_SEEDS = 400;

  private static Simulation simulation(long seed, int size, Set<Rule> rules) {
    return new Simulation(seed, size, new GroupReplication(), rules).withGroupChannel();
  }

  static List<Path> ownStories() throws IOException {
    return GroupReplicationTest.files("channel-scenarios");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ownStories")
  void storiesEndAsTold(Path story) throws IOException {
    assertEquals(List.of(), Scenario.play(Files.readAllLines(story), new GroupReplication(), Rule.ALL));
  }

  static List<Path> storiesOfGroup() throws IOException {
    List<Path> all = new ArrayList<>(GroupReplicationTest.ownStories());
    all.addAll(GroupReplicationTest.sharedStories());
    return all;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("storiesOfGroup")
  void storiesOfGroupEndAsToldOverAChannel(Path story) throws IOException {
    List<String> lines = Files.readAllLines(story);
    lines.replaceAll(line -> line.startsWith("replicas ") ? line + " channel" : line);
    assertEquals(List.of(), Scenario.play(lines, new GroupReplication(), Rule.ALL));
  }

  @Test
  void historiesAreLinearizableAndExactlyOnce() {
    run(3, COUNT);
    run(1, COUNT / 15);
    run(2, COUNT / 15);
    run(5, COUNT / 10);
  }

  private static void run(int size, int count) {
    Campaign campaign = new Campaign(size + " replicas, group over a channel", seed -> simulation(seed, size, Rule.ALL));
    campaign.run(FIRST, FIRST + count - 1);
    System.out.println(campaign.progress());
    campaign.violations().forEach((seed, violations) ->
        assertEquals("", violations.get(0) + ", seed " + seed + " with " + size + " replicas"));
  }

  /** A replica commits its creation of a resource in the step in which it applies another one's destruction of it. */
  @Test
  void whatIsCreatedAndDestroyedInOneStepIsGone() {
    assertEquals(List.of(), simulation(710_913, 3, Rule.ALL).run());
  }

  static Set<Rule> rules() {
    return Rule.OF_CHANNEL;
  }

  @ParameterizedTest
  @MethodSource("rules")
  void mutantIsCaught(Rule rule) {
    String caught = null;
    for (int seed = 1; caught == null && seed <= MAX_SEEDS; seed++) {
      List<String> violations = simulation(seed, 3, Rule.allBut(rule)).run();
      if (!violations.isEmpty()) {
        caught = violations.get(0).substring(0, violations.get(0).indexOf(':')) + " after " + seed + " seeds";
      }
    }
    assertNotNull(caught, "no checker noticed the group over a channel without " + rule);
    System.out.printf("group over a channel without %-30s caught by %s%n", rule, caught);
  }
}
