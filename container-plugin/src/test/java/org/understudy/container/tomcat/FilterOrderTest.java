package org.understudy.container.tomcat;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.container.configuration.ConfigurationException;
import org.understudy.test.LogRecorder;

class FilterOrderTest {
  private static final MappedFilter OWN = new MappedFilter("understudy-attached-bodies", true, List.of("/*"), List.of());

  private static MappedFilter synchronous(String pattern) {
    return new MappedFilter("plain", false, List.of(pattern), List.of());
  }

  private static void check(MappedFilter... filters) throws ConfigurationException {
    FilterOrder.check(List.of(filters), "understudy-attached-bodies", Set.of("/soap/ledger"), Set.of("soap"));
  }

  @Test
  void aSynchronousFilterBeforeAnEndpointIsRefused() {
    for (String pattern : List.of("/*", "*", "/soap/*", "/soap/ledger", "/soap/ledger/*")) {
      String why = assertThrows(ConfigurationException.class, () -> check(synchronous(pattern), OWN), pattern).getMessage();
      assertTrue(why.startsWith("The filter plain of"), why);
    }
  }

  @Test
  void aSynchronousFilterForOtherPathsIsNot() {
    for (String pattern : List.of("/so/*", "/soap", "/soap/ledge", "/soap/ledger/a/*", "*.ledger", "/", "")) {
      assertDoesNotThrow(() -> check(synchronous(pattern), OWN), pattern);
    }
    assertDoesNotThrow(() -> check(new MappedFilter("other", false, List.of(), List.of("rest")), OWN));
    assertDoesNotThrow(() -> check(OWN));
  }

  private static List<String> warnings(MappedFilter... filters) throws ConfigurationException {
    try (LogRecorder log = LogRecorder.of(FilterOrder.class)) {
      check(filters);
      return log.lines();
    }
  }

  @Test
  void aFilterThatRepeatedRequestsDoNotPassIsNamed() throws Exception {
    MappedFilter late = new MappedFilter("late", true, List.of("/soap/*"), List.of());
    assertEquals(List.of(), warnings(late, OWN));
    // Two mappings of one filter, of which one is in front.
    assertEquals(List.of(), warnings(late, OWN, late));
    assertTrue(warnings(OWN, late).get(0).startsWith("The filter late of the web application is behind"));
    for (String servlet : List.of("soap", "*")) {
      MappedFilter named = new MappedFilter("named", false, List.of(), List.of(servlet));
      assertEquals(1, warnings(named, OWN).size());
      assertEquals(1, warnings(OWN, named).size());
    }
    assertEquals(List.of(), warnings(OWN, new MappedFilter("other", true, List.of("/rest/*"), List.of("rest"))));
  }
}
