package org.understudy.replication.runtime;

import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;

/** A call with a given execution; the test can wait for its answer, a Reply or a Failure. */
final class TestCall implements Call {
  final CompletableFuture<Object> answer = new CompletableFuture<>();
  private final LongConsumer execution;

  TestCall(LongConsumer execution) {
    this.execution = execution;
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    execution.accept(token);
  }

  @Override
  public void reply(Reply reply) {
    answer.complete(reply);
  }

  @Override
  public void fail(Failure failure) {
    answer.complete(failure);
  }
}
