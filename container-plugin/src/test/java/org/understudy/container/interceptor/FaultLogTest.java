package org.understudy.container.interceptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.FaultMode;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.junit.jupiter.api.Test;
import org.understudy.test.LogRecorder;

class FaultLogTest {
  private final FaultLog faults = new FaultLog();

  private List<String> logged(FaultMode mode, Exception thrown) {
    Message message = new MessageImpl();
    message.put(FaultMode.class, mode);
    try (LogRecorder log = LogRecorder.of(FaultLog.class)) {
      assertFalse(faults.faultOccurred(new Fault(thrown), "{urn:shop}order", message), "CXF does not log it too");
      return log.lines();
    }
  }

  @Test
  void aFaultThatTheServiceDeclaresIsNotLogged() {
    assertEquals(List.of(), logged(FaultMode.CHECKED_APPLICATION_FAULT, new Exception("There are only 7 of bolt.")));
  }

  @Test
  void aRejectedRequestIsLoggedOnceAMinute() {
    String line = "A request was rejected (logged at most once a minute): Unexpected element.";
    assertEquals(List.of(line), logged(null, new Exception("Unexpected element.")));
    assertEquals(List.of(), logged(null, new Exception("Unexpected element.")));
  }

  @Test
  void anExceptionOfTheServiceIsLoggedWithItsStack() {
    List<String> lines = logged(FaultMode.UNCHECKED_APPLICATION_FAULT, new IllegalStateException("empty"));
    assertEquals(1, lines.size());
    assertEquals(
        "The service threw java.lang.IllegalStateException: empty. The client receives a fault. Logged at most once a minute. Stack:",
        lines.get(0).lines().findFirst().orElseThrow());
  }
}
