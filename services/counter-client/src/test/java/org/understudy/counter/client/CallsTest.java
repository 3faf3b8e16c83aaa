package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CallsTest {
  private static String told(Exception failure) {
    return assertThrows(
            CounterException.class,
            () ->
                Calls.ask(
                    "The counter could not be destroyed",
                    () -> {
                      throw failure;
                    }))
        .getMessage();
  }

  @Test
  void faultWithoutReasonGivesASentence() {
    for (Exception failure : new Exception[] {new WebServiceException(), new IllegalStateException((String) null)}) {
      assertFalse(told(failure).contains("null"), told(failure));
      assertFalse(told(failure).endsWith(": "), told(failure));
    }
  }

  @Test
  void theReasonMayStandInACause() {
    assertEquals(
        "The counter could not be destroyed: Connection refused",
        told(new WebServiceException(null, new IOException("Connection refused"))));
  }
}
