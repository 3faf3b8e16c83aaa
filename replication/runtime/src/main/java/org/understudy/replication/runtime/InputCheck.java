package org.understudy.replication.runtime;

import java.util.List;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;

/**
 * Validates input from outside before a step sees it. A step that throws halts the replica, so no input of a client or
 * service may make it throw. Each method returns the error, or null.
 */
final class InputCheck {
  /** The highest valid epoch and index; no group ever gets near it. */
  static final long MAX_COUNTER = VersionHandle.MAX;

  private static final int MAX_TEXT_CHARS = 4_096;

  private InputCheck() {}

  static String invalid(Request request) {
    if (request.kind() == null || request.seen() == null || request.principal() == null || request.owner() == null) {
      return "kind, version handle, principal or owner of the request is missing";
    }
    if (!request.seen().isOfGroup()) {
      return "version handle " + request.seen() + " is of another scope than the group's";
    }
    if (request.principal().length() > MAX_TEXT_CHARS || request.owner().length() > MAX_TEXT_CHARS) {
      return "the caller's name is longer than " + MAX_TEXT_CHARS + " characters";
    }
    if (request.ackBelow() < 0) {
      return "AckBelow " + request.ackBelow() + " is negative";
    }
    return invalid(request.kind(), request.key());
  }

  private static String invalid(Request.Kind kind, RequestKey key) {
    if (key instanceof RequestKey.OfSession of) {
      if (of.session() == null) {
        return "the session id is missing";
      }
      return of.sequence() < 0 ? "sequence number " + of.sequence() + " is negative" : null;
    }
    if (kind == Request.Kind.RENEW_SESSION || kind == Request.Kind.CLOSE_SESSION) {
      return kind + " names no session";
    }
    return kind == Request.Kind.OPEN_SESSION && !(key instanceof RequestKey.OfNonce) ? kind + " has no nonce" : null;
  }

  static String invalid(Outcome outcome, List<StateChange> changes) {
    boolean whole =
        outcome instanceof Response response
            ? response.body() != null
            : outcome instanceof Failure failure && failure.code() != null && failure.sentence() != null;
    if (!whole || changes == null) {
      return "the response, or the list of changes, is missing";
    }
    for (StateChange change : changes) {
      if (change == null || change.resource() == null) {
        return "a change names no resource";
      }
      if (change.resource().length() > MAX_TEXT_CHARS) {
        return "a resource id is longer than " + MAX_TEXT_CHARS + " characters";
      }
    }
    return null;
  }
}
