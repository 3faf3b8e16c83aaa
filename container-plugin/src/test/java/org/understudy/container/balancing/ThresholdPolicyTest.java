package org.understudy.container.balancing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.LoadBoard;

/** Bartoli et al. 2005, Fig. 4, and what it leaves open. */
class ThresholdPolicyTest {
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);
  private static final List<ReplicaId> OTHERS = List.of(TWO, THREE);
  private static final Arrival OF_STUB = new Arrival(true, false);
  private static final Arrival PLAIN = new Arrival(false, false);
  private static final Arrival MOVED = new Arrival(true, true);
  private static final Decision HERE = Decision.Serve.HERE;
  private static final ThresholdPolicy POLICY = new ThresholdPolicy(10);

  private static LoadBoard board(int two, int three) {
    return new LoadBoard(Map.of(TWO, two, THREE, three));
  }

  private static Decision decide(Arrival arrival, int own, LoadBoard board) {
    return POLICY.decide(arrival, own, OTHERS, board::index, true, true);
  }

  @Test
  void belowTheThresholdARequestIsServedHere() {
    assertEquals(HERE, decide(OF_STUB, 9, board(0, 0)), "line 2");
  }

  @Test
  void fromTheThresholdOnItIsRedirectedToTheLeastLoadedOfTheTrySet() {
    assertEquals(new Decision.Redirect(TWO), decide(OF_STUB, 10, board(3, 4)), "lines 6 and 7");
    assertEquals(new Decision.Redirect(THREE), decide(OF_STUB, 10, board(9, 4)));
    assertEquals(new Decision.Redirect(THREE), decide(OF_STUB, 10, board(10, 9)), "2 is not in the try set");
  }

  @Test
  void anEmptyTrySetIsServedHere() {
    assertEquals(HERE, decide(OF_STUB, 500, board(10, 11)));
    assertEquals(HERE, POLICY.decide(OF_STUB, 500, List.of(), replica -> 0, true, true), "only this replica serves it");
  }

  @Test
  void aReplicaWithoutAKnownIndexIsNotInTheTrySet() {
    assertEquals(HERE, decide(OF_STUB, 10, LoadBoard.EMPTY));
    assertEquals(new Decision.Redirect(THREE), decide(OF_STUB, 10, new LoadBoard(Map.of(THREE, 9))));
  }

  @Test
  void aRequestMovesOnce() {
    assertEquals(HERE, decide(MOVED, 500, board(0, 0)));
  }

  @Test
  void aClientWithoutTheHeaderIsForwarded() {
    assertEquals(new Decision.Forward(TWO), decide(PLAIN, 10, board(3, 4)));
    assertEquals(HERE, POLICY.decide(PLAIN, 10, OTHERS, replica -> 0, true, false), "no room to forward");
  }

  @Test
  void whereReplicasShareOneAddressRequestsAreForwarded() {
    assertEquals(new Decision.Forward(TWO), POLICY.decide(OF_STUB, 10, OTHERS, board(3, 4)::index, false, true));
    assertEquals(HERE, POLICY.decide(OF_STUB, 10, OTHERS, board(3, 4)::index, false, false));
  }

  @Test
  void offMeansNever() {
    ThresholdPolicy off = new ThresholdPolicy(ThresholdPolicy.OFF);
    assertEquals(HERE, off.decide(OF_STUB, 100_000, OTHERS, replica -> 0, true, true));
  }
}
