package org.understudy.lab.torture.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One transaction of one client. Only calls that were answered with a value are recorded. A client asks for a commit only if each of its
 * other calls was certainly not executed.
 *
 * @param client its client; a client has one transaction or operation at a time
 * @param invoked when it began, in ns
 * @param calls inside it, in their order
 * @param answers everything that any replica has answered about its outcome, in the order of the requests
 */
public record ClientTransaction(String client, long invoked, List<Call> calls, List<Answer> answers) {
  public ClientTransaction {
    calls = List.copyOf(calls);
    answers = List.copyOf(answers);
  }

  /**
   * A call inside a transaction.
   *
   * @param resource the counter
   * @param amount what it added; 0 for a read
   * @param value the counter's value after it, as this transaction shows it
   */
  public record Call(int resource, int amount, int value, long invoked, long returned) {}

  /**
   * A request that a transaction ends, or an answer to a call that states the outcome.
   *
   * @param outcome unknown also if there was no answer
   * @param replica that was asked, or 0 if that is not known
   */
  public record Answer(Request request, TransactionOutcome outcome, int replica, long invoked, long returned) {}

  /** What was asked. */
  public enum Request {
    CALL, COMMIT, ABORT;

    /** The name in files. */
    public String word() {
      return Words.of(this);
    }

    /** @throws IllegalArgumentException for a word that names no request */
    public static Request parse(String word) {
      return Words.parse(Request.class, "The request of an answer", word);
    }
  }

  /** Whether any answer states this outcome. */
  public boolean answered(TransactionOutcome outcome) {
    return answers.stream().anyMatch(answer -> answer.outcome() == outcome);
  }

  /** Whether answers contradict each other. */
  public boolean contradictory() {
    return answered(TransactionOutcome.COMMITTED) && answered(TransactionOutcome.ABORTED);
  }

  /** Its outcome by all answers: unknown if they contradict each other, and aborted if nobody asked for a commit. */
  public TransactionOutcome outcome() {
    if (contradictory()) {
      return TransactionOutcome.UNKNOWN;
    }
    if (answered(TransactionOutcome.COMMITTED)) {
      return TransactionOutcome.COMMITTED;
    }
    boolean asked = answers.stream().anyMatch(answer -> answer.request() == Request.COMMIT);
    return !asked || answered(TransactionOutcome.ABORTED) ? TransactionOutcome.ABORTED : TransactionOutcome.UNKNOWN;
  }

  /**
   * What it does to each counter if it takes effect, as operations whose outcome is ok: an update from the first request for a commit until
   * the first answer that states it, or until the end of time, or a linearizable read if nothing was added.
   */
  public List<Operation> effects() {
    long from = answers.stream().filter(answer -> answer.request() == Request.COMMIT).mapToLong(Answer::invoked).min().orElse(invoked);
    Answer first = answers.stream().filter(answer -> answer.outcome() == TransactionOutcome.COMMITTED)
        .min(Comparator.comparingLong(Answer::returned)).orElse(null);
    boolean certain = first != null && !contradictory();
    List<Operation> effects = new ArrayList<>();
    byCounter().forEach((resource, on) -> {
      int amount = on.stream().mapToInt(Call::amount).sum();
      effects.add(new Operation(client, amount == 0 ? Level.LINEARIZABLE : Level.UPDATE, resource, amount, on.get(on.size() - 1).value(),
          from, certain ? first.returned() : Long.MAX_VALUE, Outcome.OK, certain ? first.replica() : 0));
    });
    return effects;
  }

  /** The calls on each counter, in their order. */
  public Map<Integer, List<Call>> byCounter() {
    Map<Integer, List<Call>> counters = new LinkedHashMap<>();
    calls.forEach(call -> counters.computeIfAbsent(call.resource(), resource -> new ArrayList<>()).add(call));
    return counters;
  }

  /** For people. */
  public String describe() {
    StringBuilder text = new StringBuilder(client).append(" transaction [").append(String.format("%.3f s", invoked / 1e9)).append("]:");
    for (Call call : calls) {
      text.append(call.amount() == 0 ? " read" : " add(" + call.amount() + ")").append(" of counter ").append(call.resource())
          .append(" = ").append(call.value()).append(',');
    }
    for (Answer answer : answers) {
      text.append(' ').append(answer.request().word()).append(answer.replica() == 0 ? "" : " at replica " + answer.replica())
          .append(String.format(" [%.3f s to %.3f s] ", answer.invoked() / 1e9, answer.returned() / 1e9))
          .append(answer.outcome().word()).append(',');
    }
    return text.deleteCharAt(text.length() - 1).toString();
  }
}
