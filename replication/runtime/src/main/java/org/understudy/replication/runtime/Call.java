package org.understudy.replication.runtime;

import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Request;

/**
 * One request at the container. First, perhaps, {@link #execute}; then exactly one of {@link #reply} and {@link #fail}.
 *
 * <p>{@code execute} is called at most once, and once more after each rollback of what it led to. When it can go ahead at
 * once it is called by the thread that submitted, before {@link Replica#submit} returns; otherwise (the request was held
 * during a view change, or is executed again) by any other. Reply and fail come from any thread. None may block for long or
 * throw.
 */
public interface Call {
  /** Run the service method, then call {@link Replica#executed} or {@link Replica#abandoned} with this token. */
  void execute(long token, Request.Kind kind);

  void reply(Reply reply);

  void fail(Failure failure);
}
