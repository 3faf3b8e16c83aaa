package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The executions that wait for a decision, step by step. */
class ProposalsTest {
  private final Proposals proposals = new Proposals();
  private final TestProposal first = new TestProposal();
  private final TestProposal second = new TestProposal();

  private void wait(long token, Proposal proposal) {
    proposals.arrive(token, proposal);
    proposals.arrived();
  }

  @Test
  void proposalIsDecidedOnce() {
    wait(1, first);
    assertSame(first, proposals.decide(1));
    assertNull(proposals.decide(1));
    proposals.arrived();
    assertEquals(List.of(), proposals.takeAll());
  }

  @Test
  void decisionOfAThrowingStepIsNotCarriedOut() {
    wait(1, first);
    wait(2, second);
    proposals.arrive(3, new TestProposal());
    assertSame(first, proposals.decide(1));
    assertEquals(List.of(second, first), proposals.takeAll());
    assertEquals(List.of(), proposals.takeAll());
  }
}
