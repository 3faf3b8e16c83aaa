package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.StateChange;

/** Takes the ends of the executions that a replica has permitted with {@link Call#execute}. Thread-safe; never blocks. */
public interface Executions {
  /**
   * The service method has returned; its response is marshalled and its state captured.
   *
   * @param outcome the response; or a terminal failure, with no changes: it is stored and replicated as the request's
   *     answer, and {@link Call#fail} is called with it when it is stable
   * @return false when the execution does not stand, since the replica lost its role meanwhile or has halted, a limit was
   *     exceeded, or the outcome is a failure: live objects that the method changed are to be dropped by the caller,
   *     before anybody else uses them
   */
  boolean executed(long token, Outcome outcome, List<StateChange> changes);

  /**
   * There will be no response; live objects that the method changed are to be dropped by the caller. Or, for a call that
   * waits and has been answered: it holds no place any longer.
   */
  void abandoned(long token);
}
