package org.understudy.replication.runtime;

import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;

/**
 * One request of the container. First, possibly, {@link #execute}; then exactly one of {@link #reply} and {@link #fail}.
 *
 * <p>{@code execute} is called at most once, and once more after each rollback of its proposal. If the execution is
 * permitted at once, the submitting thread calls it before {@link Replica#submit} returns; otherwise (the request was held
 * during a view change, or is executed again) any other thread. Reply and fail come from any thread. None may block for
 * long or throw.
 */
public interface Call {
  /** Runs the service method, then calls {@link Replica#executed} or {@link Replica#abandoned} with this token. */
  void execute(long token, Request.Kind kind);

  void reply(Reply reply);

  void fail(Failure failure);
}
