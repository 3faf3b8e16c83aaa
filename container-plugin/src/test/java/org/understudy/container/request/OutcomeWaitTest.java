package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.understudy.replication.runtime.peer.AnswerWait;

/** Which threads wait for outcomes that arrive late, or in time. */
class OutcomeWaitTest {
  private static final int MANY = 100 * OutcomeHistory.RETRY;

  private final OutcomeHistory history = new OutcomeHistory();
  /** How often the condition is evaluated in one wait: once before it, and at least once in it. */
  private final AtomicInteger evaluated = new AtomicInteger();

  /** Returns whether the thread has waited for an outcome that does not arrive in time. */
  private boolean waitsInVain() {
    evaluated.set(0);
    assertFalse(new OutcomeWait(1, history).await(() -> evaluated.incrementAndGet() < 0));
    return evaluated.get() > 1;
  }

  /** Returns whether the thread has waited for an outcome that arrives in time. */
  private boolean waitsWithSuccess() {
    evaluated.set(0);
    return new OutcomeWait(TimeUnit.HOURS.toNanos(1), history).await(() -> evaluated.incrementAndGet() > 1);
  }

  private int waitsInVain(int times) {
    int waits = 0;
    for (int i = 0; i < times; i++) {
      waits += waitsInVain() ? 1 : 0;
    }
    return waits;
  }

  @Test
  void aThreadDoesNotWaitWhereRoundsAreLong() {
    int waits = waitsInVain(MANY);
    assertTrue(waits > 2, "an exception does not count: " + waits);
    assertTrue(waits < 130, waits + " of " + MANY);
    assertEquals(1, waitsInVain(OutcomeHistory.RETRY), "now and then one finds out whether they are still long");
  }

  @Test
  void threadsWaitAgainWhereRoundsAreShortAgain() {
    waitsInVain(MANY);
    int avoided = 0;
    int successes = 0;
    while (successes < 20) {
      boolean waited = waitsWithSuccess();
      successes += waited ? 1 : 0;
      avoided += waited ? 0 : 1;
    }
    assertTrue(avoided < 10 * OutcomeHistory.RETRY, avoided + " did not wait");
    for (int i = 0; i < MANY; i++) {
      assertTrue(waitsWithSuccess());
    }
  }

  @Test
  void aLateOutcomeNowAndThenChangesNothing() {
    for (int i = 0; i < MANY; i++) {
      assertEquals(i % 3 != 0, i % 3 == 0 ? !waitsInVain() : waitsWithSuccess(), "wait " + i);
    }
  }

  @Test
  void anOutcomeThatIsThereIsTaken() {
    waitsInVain(MANY);
    for (int i = 0; i < MANY; i++) {
      assertTrue(new OutcomeWait(1, history).await(() -> true));
    }
    assertTrue(waitsInVain(OutcomeHistory.RETRY) <= 1, "nothing was learned about waiting");
  }

  /** Answers arrive one by one; the last one brings the outcome. */
  private static final class Answers implements AnswerWait {
    int expected;
    int received;
    int woken;
    int ended;

    Answers(int expected) {
      this.expected = expected;
    }

    @Override
    public boolean receive(BooleanSupplier over, long nanos) {
      assertFalse(over.getAsBoolean());
      received += expected == 0 ? 0 : 1;
      return expected-- > 0;
    }

    @Override
    public void wakeUp() {
      woken++;
    }

    @Override
    public void end() {
      ended++;
    }
  }

  @Test
  void theThreadReceivesAnswersUntilTheOutcomeIsThere() {
    Answers answers = new Answers(5);
    OutcomeWait wait = new OutcomeWait(TimeUnit.HOURS.toNanos(1), history);
    wait.begin(() -> answers);
    assertTrue(wait.await(() -> answers.received == 2));
    wait.end();
    assertEquals(0, answers.woken, "no thread waits");
    wait.leave();
    wait.leave();
    assertEquals(1, answers.ended);
  }

  @Test
  void aThreadWhoseAnswersAreAllThereWaitsForAnotherThread() throws InterruptedException {
    Answers answers = new Answers(0);
    OutcomeWait wait = new OutcomeWait(TimeUnit.HOURS.toNanos(1), history);
    wait.begin(() -> answers);
    AtomicBoolean over = new AtomicBoolean();
    Thread other = new Thread(() -> {
      over.set(true);
      wait.end();
    });
    assertTrue(wait.await(() -> {
      if (other.getState() == Thread.State.NEW) {
        other.start();
      }
      return over.get();
    }));
    other.join();
    wait.leave();
    assertEquals(1, answers.ended);
  }

  @Test
  void nothingIsAskedWhereTheThreadWillNotWait() {
    waitsInVain(MANY);
    new OutcomeWait(history).begin(() -> {
      throw new AssertionError("The wait begins.");
    });
  }
}
