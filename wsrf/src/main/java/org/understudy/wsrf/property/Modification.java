package org.understudy.wsrf.property;

import org.understudy.soap.basefault.ResourceFaultType;

/** The operations that change properties one by one (WS-ResourceProperties 1.2, sections 5.5 to 5.8). */
enum Modification {
  SET("SetResourceProperties", null, ResourceFaultType.SET_RESOURCE_PROPERTY_REQUEST_FAILED),
  INSERT("InsertResourceProperties", "Insert", ResourceFaultType.INSERT_RESOURCE_PROPERTIES_REQUEST_FAILED),
  UPDATE("UpdateResourceProperties", "Update", ResourceFaultType.UPDATE_RESOURCE_PROPERTIES_REQUEST_FAILED),
  DELETE("DeleteResourceProperties", "Delete", ResourceFaultType.DELETE_RESOURCE_PROPERTIES_REQUEST_FAILED);

  private final String operation;
  private final String component;
  private final ResourceFaultType failed;

  Modification(String operation, String component, ResourceFaultType failed) {
    this.operation = operation;
    this.component = component;
    this.failed = failed;
  }

  String operation() {
    return operation;
  }

  /** Whether its request may hold this element; {@link #SET} takes any number of all three, the others one of their own. */
  boolean takes(String asked, int already) {
    return component == null
        ? asked.equals("Insert") || asked.equals("Update") || asked.equals("Delete")
        : asked.equals(component) && already == 0;
  }

  /** The fault when a change fails for another reason than its value. */
  ResourceFaultType failed() {
    return failed;
  }
}
