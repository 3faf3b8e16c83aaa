package org.understudy.container.twin;

import static org.understudy.container.twin.TwinMessage.to;

import java.util.ArrayList;
import java.util.List;

/** Messages whose operation fails. */
final class FaultMessages {
  private static final List<String> WAYS =
      List.of(
          "declared", "declared empty", "declared without message", "plain", "runtime", "without message", "cause", "service", "error",
          "client", "own code", "detail", "cxf", "cxf code");

  private FaultMessages() {}

  static List<TwinMessage> all() {
    List<TwinMessage> all = new ArrayList<>();
    for (String way : WAYS) {
      String call = "<t:fail xmlns:t='urn:twin'><how>" + way + "</how></t:fail>";
      all.add(to("Texts", "fault " + way).body(call));
      all.add(to("Texts12", "fault of SOAP 1.2 " + way).soap12().body(call));
      all.add(to("Addressed", "fault with addressing " + way).body(call).identified());
    }
    all.add(to("Texts", "fault with identity").identified().body("<t:fail xmlns:t='urn:twin'><how>declared</how></t:fail>"));
    return all;
  }
}
