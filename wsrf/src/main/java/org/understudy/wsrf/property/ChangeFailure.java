package org.understudy.wsrf.property;

/**
 * The detail of the faults of a change (WS-ResourceProperties 1.2, section 5.5).
 *
 * @param current the values before the request; empty for none
 * @param requested the requested values; empty for none
 */
record ChangeFailure(String current, String requested) {
  /** The element. States that the values have been restored, which is always so. */
  String text() {
    return "<f:ResourcePropertyChangeFailure xmlns:f=\"" + PropertyOperations.NAMESPACE + "\" Restored=\"true\">"
        + part("CurrentValue", current) + part("RequestedValue", requested) + "</f:ResourcePropertyChangeFailure>";
  }

  private static String part(String name, String values) {
    return values.isEmpty() ? "" : "<f:" + name + ">" + values + "</f:" + name + ">";
  }
}
