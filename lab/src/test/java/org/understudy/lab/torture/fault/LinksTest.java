package org.understudy.lab.torture.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LinksTest {
  private static final List<Integer> THREE = List.of(2, 3, 1);
  private static final List<Integer> FIVE = List.of(4, 2, 5, 1, 3);

  private static String cut(Links links) {
    return links.cut().stream().map(link -> link.from() + ">" + link.to()).collect(Collectors.toCollection(TreeSet::new)).toString();
  }

  @Test
  void aSplitCutsBothDirections() {
    Links split = Links.of(FaultKind.SPLIT, THREE, 1);
    assertEquals("[1>2, 2>1, 2>3, 3>2]", cut(split));
    assertEquals(cut(split), cut(Links.allOf(2, 3)));
    assertEquals(Set.of(2), split.minority());
    assertTrue(split.majorityMeets());
    assertEquals(Set.of(4, 2), Links.of(FaultKind.SPLIT, FIVE, 2).minority());
  }

  @Test
  void oneWhoIsNotHeardOrDoesNotHearIsAMinority() {
    Links mute = Links.of(FaultKind.MUTE, THREE, 1);
    assertEquals("[2>1, 2>3]", cut(mute));
    assertEquals(Set.of(2), mute.minority());
    assertTrue(mute.majorityMeets());
    Links deaf = Links.of(FaultKind.DEAF, THREE, 1);
    assertEquals("[1>2, 3>2]", cut(deaf));
    assertEquals(Set.of(2), deaf.minority());
  }

  @Test
  void oneDirectionOfOneLinkLeavesNobodyAlone() {
    Links oneWay = Links.of(FaultKind.ONE_WAY, THREE, 1);
    assertEquals("[2>3]", cut(oneWay));
    assertEquals(Set.of(), oneWay.minority());
    assertTrue(oneWay.majorityMeets());
  }

  @Test
  void acrossABridgeNobodyIsAMinority() {
    Links bridge = Links.of(FaultKind.BRIDGE, THREE, 1);
    assertEquals("[1>3, 3>1]", cut(bridge));
    assertEquals(Set.of(), bridge.minority());
    assertTrue(bridge.majorityMeets());
    assertEquals("[1>2, 1>5, 2>1, 2>3, 3>2, 3>5, 5>1, 5>3]", cut(Links.of(FaultKind.BRIDGE, FIVE, 1)));
  }

  @Test
  void piecesAndHalvesAreMinorities() {
    Links scatter = Links.of(FaultKind.SCATTER, THREE, 1);
    assertEquals(6, scatter.cut().size());
    assertEquals(Set.of(1, 2, 3), scatter.minority());
    assertFalse(scatter.majorityMeets());
    Links halves = new Links(4);
    for (int one = 1; one <= 2; one++) {
      halves.bothWays(one, 3);
      halves.bothWays(one, 4);
    }
    assertEquals(Set.of(1, 2, 3, 4), halves.minority());
    assertFalse(halves.majorityMeets());
  }

  @Test
  void aChainReachesAMajorityByWayOfOthersOnly() {
    Links chain = new Links(5);
    for (int one = 1; one <= 5; one++) {
      for (int other = one + 2; other <= 5; other++) {
        chain.bothWays(one, other);
      }
    }
    assertEquals(Set.of(), chain.minority(), "a replica may forward to its neighbour");
    assertTrue(chain.majorityMeets(), "the second reaches the first and the third");
    chain.bothWays(2, 3);
    assertEquals(Set.of(1, 2), chain.minority());
  }
}
