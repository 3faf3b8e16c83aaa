package org.understudy.simulation;

import java.io.IOException;
import java.util.Map;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;
import org.understudy.client.envelope.MalformedAnswerException;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.client.invocation.NoAnswer;
import org.understudy.client.invocation.RetryingInvocation;
import org.understudy.client.invocation.Step;
import org.understudy.client.view.GroupView;
import org.understudy.replication.simulation.World;

/** One message of a stub: its step function over the simulated transport. */
final class Retries {
  private final StubClient client;
  private final ServiceSimulation simulation;
  private final World world;
  private final RequestTemplate letter;
  private final Ending ending;
  private final RetryingInvocation steps;
  private Transport.Exchange current;
  private int attempt;
  private ServiceAnswer last;
  private boolean over;

  /** Creates the message of each attempt. */
  @FunctionalInterface
  interface RequestTemplate {
    ServiceRequest attempt(int number, boolean forward);
  }

  /** Receives the outcome. */
  interface Ending {
    Ending NONE = new Ending() {
      @Override
      public void taken(Answer answer, ServiceAnswer raw) {
        // It was worth a try.
      }

      @Override
      public void failed(InvocationFailedException failure, ServiceAnswer last) {
        // It was worth a try.
      }
    };

    void taken(Answer answer, ServiceAnswer raw);

    /** @param last the last answer, or null */
    void failed(InvocationFailedException failure, ServiceAnswer last);
  }

  /** @param steps the decisions, of which none has been asked for yet */
  Retries(StubClient client, RetryingInvocation steps, RequestTemplate letter, Ending ending) {
    this.client = client;
    this.simulation = client.simulation();
    this.world = simulation.world();
    this.steps = steps;
    this.letter = letter;
    this.ending = ending;
  }

  void begin() {
    carryOut(steps.begin(world.now()));
  }

  void viewChanged(GroupView view) {
    if (!over) {
      carryOut(steps.viewChanged(world.now(), view));
    }
  }

  /** Called when the application abandons it. */
  void stop() {
    carryOut(steps.stopped(world.now(), "The fault-tolerant client was closed"));
  }

  private void carryOut(Step step) {
    if (over) {
      return;
    }
    if (step instanceof Step.Send send) {
      send(send);
    } else if (step instanceof Step.Pause pause) {
      world.after(pause.until() - world.now(), () -> {
        if (!over) {
          carryOut(steps.timePasses(world.now()));
        }
      });
    } else if (step instanceof Step.BreakOff) {
      current.breakOff();
      carryOut(steps.unanswered(world.now(), attempt, NoAnswer.BROKEN_OFF, new IOException("broken off")));
    } else if (step instanceof Step.Take take) {
      end();
      ending.taken(take.answer(), last);
    } else if (step instanceof Step.Fail fail) {
      end();
      ending.failed(fail.failure(), last);
    }
  }

  private void end() {
    over = true;
    client.ended(this);
  }

  private void send(Step.Send send) {
    attempt = send.number();
    simulation.count(attempt == 1 ? "first attempts" : send.forward() ? "detours" : "further attempts");
    Transport.Exchange exchange =
        simulation.transport().send(
            client.end(),
            SimulatedContainer.number(send.replica()),
            letter.attempt(send.number(), send.forward()),
            new Transport.Listener() {
              @Override
              public void answered(ServiceAnswer answer) {
                last = answer;
                carryOut(steps.answered(world.now(), send.number(), read(answer)));
              }

              @Override
              public void lost(NoAnswer how, IOException error) {
                carryOut(steps.unanswered(world.now(), send.number(), how, error));
              }
            });
    current = exchange;
    world.after(send.deadline() - world.now(), () -> {
      if (!over && attempt == send.number()) {
        exchange.breakOff();
        Step next = steps.unanswered(world.now(), send.number(), NoAnswer.TIMED_OUT, new IOException("timed out"));
        if (next instanceof Step.Send) {
          simulation.count("slow newcomers");
        }
        carryOut(next);
      }
    });
  }

  static Answer read(ServiceAnswer answer) {
    try {
      return AnswerReader.read(answer.status(), "text/xml; charset=UTF-8", Map.of(), answer.bytes());
    } catch (MalformedAnswerException e) {
      throw new IllegalStateException("A replica answers what no stub can read.", e);
    }
  }
}
