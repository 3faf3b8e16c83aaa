package org.understudy.simulation;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.understudy.container.forwarding.ForwardedAnswer;
import org.understudy.container.forwarding.ForwardedRequest;
import org.understudy.container.forwarding.NoAnswer;
import org.understudy.container.forwarding.Step;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.share.Reservation;

/** One request that a replica forwards: the container's step function over the simulated transport. */
final class Forward {
  private static final long CHECK_NANOS = 50_000_000;

  private final SimulatedContainer container;
  private final ServiceSimulation simulation;
  private final ServiceRequest request;
  private final SimulatedContainer.Client client;
  private final ForwardedRequest steps;
  private final Reservation reservation;
  private Transport.Exchange current;
  private ServiceAnswer last;
  private boolean ended;
  private int attempts;

  Forward(
      SimulatedContainer container,
      ServiceRequest request,
      ForwardedRequest steps,
      SimulatedContainer.Client client,
      Reservation reservation) {
    this.container = container;
    this.simulation = container.simulation();
    this.request = request.forwardedBy(container.host().number());
    this.client = client;
    this.steps = steps;
    this.reservation = reservation;
    container.host().after(steps.placeEnd() - now(), this::check);
  }

  /** As the clock of the container's forwarding. */
  private void check() {
    if (!ended) {
      carryOut(steps.timePasses(now()));
      container.host().after(CHECK_NANOS, this::check);
    }
  }

  private long now() {
    return simulation.world().now();
  }

  void begin() {
    carryOut(steps.begin(now()));
  }

  void serversChanged() {
    carryOut(steps.serversChanged(now()));
  }

  private void carryOut(Step step) {
    if (ended) {
      return;
    }
    if (step instanceof Step.Send send) {
      current = simulation.transport().send(container.host().number(), send.to().number(), request, listener(send.number()));
    } else if (step instanceof Step.Pause pause) {
      container.host().after(pause.until() - now(), () -> carryOut(steps.timePasses(now())));
    } else if (step instanceof Step.BreakOff) {
      current.breakOff();
      int number = attempts;
      container.host().after(0, () -> carryOut(steps.unanswered(now(), number, NoAnswer.LOST)));
    } else if (step instanceof Step.PassOn) {
      end(last);
    } else if (step instanceof Step.Fail fail) {
      boolean tells = simulation.has(Mutant.FORWARD_TELLS_LAST_REFUSAL) && last != null && last.failure() != null;
      end(tells ? last : container.refusal(fail.failure()));
    }
  }

  private void end(ServiceAnswer answer) {
    ended = true;
    container.ended(this, reservation);
    client.answer(answer);
  }

  private Transport.Listener listener(int number) {
    attempts = number;
    return new Transport.Listener() {
      @Override
      public void answered(ServiceAnswer answer) {
        container.host().after(0, () -> {
          last = answer;
          carryOut(steps.answered(now(), number, seen(answer)));
        });
      }

      @Override
      public void lost(org.understudy.client.invocation.NoAnswer how, IOException error) {
        container.host().after(0, () -> carryOut(steps.unanswered(now(), number,
            how == org.understudy.client.invocation.NoAnswer.NOT_SENT
                ? NoAnswer.NOT_SENT
                : NoAnswer.LOST)));
      }
    };
  }

  /** By the header; for a mutant, by a word in the text. */
  private ForwardedAnswer seen(ServiceAnswer answer) {
    Failure failure = answer.failure();
    FailureCode refused = failure == null ? null : failure.code();
    if (simulation.has(Mutant.REFUSAL_TOLD_BY_TEXT)) {
      String text = new String(answer.bytes(), StandardCharsets.UTF_8);
      refused = text.contains(FailureCode.NotPrimary.name()) ? FailureCode.NotPrimary : refused;
    }
    return new ForwardedAnswer(answer.status(), refused, ForwardedAnswer.Source.REPLICA, false);
  }
}
