package org.understudy.client.invocation;

import java.util.List;
import java.util.stream.Stream;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.Refusal;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.soap.envelope.UnavailablePage;

/**
 * The decision after a response.
 *
 * @param next the next step
 * @param certainty what is known about the execution when there is no result
 * @param code the replica's failure code, or null
 * @param reason for messages and logs
 */
record ResponseDisposition(Step next, Certainty certainty, FailureCode code, String reason) {
  enum Step {
    /** It is the result. */
    TAKE,
    /** Retry at the replica that the answer names. */
    REDIRECT,
    /** Retry at the other replicas first. */
    ELSEWHERE,
    /** Retry at the same replica after a pause. */
    AGAIN,
    /** No attempt can succeed. */
    STOP
  }

  /** HTTP headers of a replica; docs/wire.md. */
  private static final String DISPOSITION = "Understudy-Disposition";
  private static final String REASON = "Understudy-Reason";

  static final ResponseDisposition RESULT = new ResponseDisposition(Step.TAKE, null, null, "answered");

  static ResponseDisposition of(Answer answer) {
    if (answer.refusal() != null) {
      return of(answer.refusal());
    }
    if (answer.isSoap() || answer.status() == 202 || answer.status() == 204) {
      return RESULT;
    }
    int status = answer.status();
    String reason = "HTTP " + status + " without SOAP";
    return switch (status) {
      // Tomcat answers so while it starts, stops or deploys.
      case 404 -> new ResponseDisposition(Step.ELSEWHERE, Certainty.NOT_EXECUTED, null, reason);
      case 503 -> new ResponseDisposition(Step.ELSEWHERE, unavailable(answer), null, reason);
      case 408, 429 -> new ResponseDisposition(Step.AGAIN, Certainty.NOT_EXECUTED, null, reason);
      default -> {
        if (status >= 500) {
          yield new ResponseDisposition(Step.ELSEWHERE, Certainty.UNKNOWN, null, reason);
        }
        if (status >= 300) {
          yield new ResponseDisposition(Step.STOP, Certainty.NOT_EXECUTED, null, reason + explanation(status));
        }
        yield answer.bytes().length == 0
            ? RESULT
            : new ResponseDisposition(Step.STOP, Certainty.UNKNOWN, null, reason + ": " + answer.contentType());
      }
    };
  }

  private static ResponseDisposition of(Refusal refusal) {
    String reason = refusal.text().isEmpty() ? refusal.name() : refusal.name() + " (" + refusal.text() + ")";
    return new ResponseDisposition(step(refusal), refusal.certainty(), refusal.code(), reason);
  }

  private static Step step(Refusal refusal) {
    if (refusal.code() == null) {
      return stepAfterUnknown(refusal);
    }
    if (refusal.code().isTerminal()) {
      return Step.STOP;
    }
    return switch (refusal.code()) {
      case Redirected -> Step.REDIRECT;
      case StillPending, Overloaded -> Step.AGAIN;
      default -> Step.ELSEWHERE;
    };
  }

  /** For an unknown code of a newer replica: uses the SOAP fault code and the fault's statement on the execution. */
  private static Step stepAfterUnknown(Refusal refusal) {
    if (refusal.blamesRequest() || refusal.certainty() == Certainty.EXECUTED) {
      return Step.STOP;
    }
    return refusal.certainty() == Certainty.PENDING ? Step.AGAIN : Step.ELSEWHERE;
  }

  /** A proxy sends 503 also when the connection to a replica broke that had the request. */
  private static Certainty unavailable(Answer answer) {
    List<String> dispositions = answer.headers().get(DISPOSITION);
    if (dispositions != null) {
      return Stream.of(FailureCode.values()).filter(code -> dispositions.contains(code.name())).findFirst()
          .map(FailureCode::certainty).orElse(Certainty.UNKNOWN);
    }
    boolean ofReplica = answer.headers().containsKey(REASON);
    return UnavailablePage.isOfTomcat(answer.bytes()) && !ofReplica ? Certainty.NOT_EXECUTED : Certainty.UNKNOWN;
  }

  private static String explanation(int status) {
    if (status < 400) {
      return ": HTTP redirects are not followed";
    }
    return switch (status) {
      case 401 -> ": the service requires authentication";
      case 403 -> ": the service forbids it";
      case 413 -> ": the request is too long for the service";
      default -> "";
    };
  }
}
