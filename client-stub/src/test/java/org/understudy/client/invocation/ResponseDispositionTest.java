package org.understudy.client.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.Refusal;
import org.understudy.client.view.GroupView;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;

/** What each answer means for the invocation: above all, nothing is called not executed that may have been. */
class ResponseDispositionTest {
  private static ResponseDisposition of(int status, boolean soap, String content, Refusal refusal) {
    return of(status, soap, content, refusal, Map.of());
  }

  private static ResponseDisposition of(
      int status, boolean soap, String content, Refusal refusal, Map<String, List<String>> headers) {
    return ResponseDisposition.of(
        new Answer(
            status, "text/html", headers, content.getBytes(StandardCharsets.UTF_8), soap, null, 0, false, refusal));
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 400, 500, 503, 404})
  void anEnvelopeIsTheResultWhateverTheStatus(int status) {
    assertSame(ResponseDisposition.RESULT, of(status, true, "<e/>", null));
  }

  @ParameterizedTest
  @CsvSource({
    "NOT_EXECUTED, false, ELSEWHERE", "UNKNOWN, false, ELSEWHERE", "PENDING, false, AGAIN", "EXECUTED, false, STOP",
    "NOT_EXECUTED, true, STOP"
  })
  void unknownCodeIsClassifiedByTheRestOfTheFault(Certainty certainty, boolean blames, ResponseDisposition.Step step) {
    ResponseDisposition judgement =
        of(500, true, "<e/>", new Refusal(null, "Throttled", certainty, blames, GroupView.NONE, 0, "later"));
    assertEquals(step, judgement.next());
    assertEquals(certainty, judgement.certainty());
    assertEquals("Throttled (later)", judgement.reason());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 202, 204})
  void nothingIsTheAnswerToAOneWayCall(int status) {
    assertSame(ResponseDisposition.RESULT, of(status, false, "", null));
  }

  @ParameterizedTest
  @CsvSource({
    // Tomcat while it starts, stops or deploys: the request has met no service.
    "404, ELSEWHERE, NOT_EXECUTED",
    "408, AGAIN, NOT_EXECUTED",
    "429, AGAIN, NOT_EXECUTED",
    // A proxy whose server did not answer: it may have executed.
    "500, ELSEWHERE, UNKNOWN",
    "502, ELSEWHERE, UNKNOWN",
    "503, ELSEWHERE, UNKNOWN",
    "504, ELSEWHERE, UNKNOWN",
    "599, ELSEWHERE, UNKNOWN",
    // No replica would answer otherwise.
    "301, STOP, NOT_EXECUTED",
    "307, STOP, NOT_EXECUTED",
    "400, STOP, NOT_EXECUTED",
    "401, STOP, NOT_EXECUTED",
    "403, STOP, NOT_EXECUTED",
    "405, STOP, NOT_EXECUTED",
    "413, STOP, NOT_EXECUTED",
    // A page, a sign-in form for example, in the place of the answer.
    "200, STOP, UNKNOWN",
    "203, STOP, UNKNOWN"
  })
  void nonSoapAnswerIsClassifiedByItsStatus(int status, ResponseDisposition.Step step, Certainty certainty) {
    ResponseDisposition judgement = of(status, false, "<html/>", null);
    assertEquals(step, judgement.next());
    assertEquals(certainty, judgement.certainty());
    assertTrue(judgement.reason().contains("HTTP " + status), judgement.reason());
  }

  @Test
  void unavailabilityIsNotExecutedOnlyAtTomcat() {
    String page = "<!doctype html><html lang=\"fr\"><head><title>État HTTP 503</title>"
        + "<style type=\"text/css\">body {font-family:Tahoma,Arial,sans-serif;} h1";
    assertEquals(Certainty.NOT_EXECUTED, of(503, false, page, null).certainty());
    assertEquals(Certainty.NOT_EXECUTED, of(503, false, "", null).certainty(), "of a connector that is being stopped");
    String reset = "upstream connect error or disconnect/reset before headers. reset reason: connection termination";
    assertEquals(Certainty.UNKNOWN, of(503, false, reset, null).certainty(), "of a proxy that has lost the replica");
  }

  @ParameterizedTest
  @CsvSource({
    "Understudy-Disposition, NotReady, NOT_EXECUTED",
    "Understudy-Disposition, OutcomeUnknown, UNKNOWN",
    "Understudy-Disposition, CodeOfANewerReplica, UNKNOWN",
    "Understudy-Reason, The server stops, UNKNOWN"
  })
  void replicaThatStopsStatesWhetherTheRequestWasExecuted(String header, String value, Certainty certainty) {
    ResponseDisposition disposition = of(503, false, "", null, Map.of(header, List.of(value)));
    assertEquals(certainty, disposition.certainty());
    assertEquals(ResponseDisposition.Step.ELSEWHERE, disposition.next());
  }

  @ParameterizedTest
  @CsvSource({"302, redirects", "401, authentication", "403, forbids", "413, too long", "200, text/html"})
  void reasonNamesTheCause(int status, String word) {
    assertTrue(of(status, false, "<html/>", null).reason().contains(word));
  }

  @ParameterizedTest
  @EnumSource(FailureCode.class)
  void refusalTakesPrecedenceOverTheStatus(FailureCode code) {
    for (Certainty certainty : Certainty.values()) {
      ResponseDisposition judgement = of(200, true, "<e/>", new Refusal(code, certainty, GroupView.NONE, "why"));
      assertEquals(certainty, judgement.certainty(), "what the replica says, not what the code usually means");
      assertEquals(code, judgement.code());
      assertNotEquals(ResponseDisposition.Step.TAKE, judgement.next());
      assertEquals(code.isTerminal(), judgement.next() == ResponseDisposition.Step.STOP, code + " is retried if a retry can succeed");
      assertTrue(judgement.reason().contains(code.name()) && judgement.reason().contains("why"), judgement.reason());
    }
  }

  @Test
  void busyReplicaIsRetriedAndOthersAreSkipped() {
    assertEquals(ResponseDisposition.Step.AGAIN, step(FailureCode.StillPending));
    assertEquals(ResponseDisposition.Step.AGAIN, step(FailureCode.Overloaded));
    assertEquals(ResponseDisposition.Step.ELSEWHERE, step(FailureCode.NotPrimary));
    assertEquals(ResponseDisposition.Step.ELSEWHERE, step(FailureCode.OutcomeUnknown));
  }

  private static ResponseDisposition.Step step(FailureCode code) {
    return of(500, true, "<e/>", new Refusal(code, code.certainty(), GroupView.NONE, "")).next();
  }
}
