package org.understudy.soap.basefault;

import javax.xml.namespace.QName;

/** The faults of WSRF 1.2, by the specification that declares them. */
public enum ResourceFaultType implements FaultType {
  /** WS-Resource 1.2. */
  RESOURCE_UNKNOWN(Namespace.R, "ResourceUnknownFault", true),
  RESOURCE_UNAVAILABLE(Namespace.R, "ResourceUnavailableFault", false),

  /** WS-ResourceProperties 1.2, sections 6 to 8. */
  INVALID_RESOURCE_PROPERTY_QNAME(Namespace.RP, "InvalidResourcePropertyQNameFault", true),
  INVALID_MODIFICATION(Namespace.RP, "InvalidModificationFault", true),
  UNABLE_TO_MODIFY_RESOURCE_PROPERTY(Namespace.RP, "UnableToModifyResourcePropertyFault", true),
  UNABLE_TO_PUT_RESOURCE_PROPERTY_DOCUMENT(Namespace.RP, "UnableToPutResourcePropertyDocumentFault", true),
  SET_RESOURCE_PROPERTY_REQUEST_FAILED(Namespace.RP, "SetResourcePropertyRequestFailedFault", false),
  INSERT_RESOURCE_PROPERTIES_REQUEST_FAILED(Namespace.RP, "InsertResourcePropertiesRequestFailedFault", false),
  UPDATE_RESOURCE_PROPERTIES_REQUEST_FAILED(Namespace.RP, "UpdateResourcePropertiesRequestFailedFault", false),
  DELETE_RESOURCE_PROPERTIES_REQUEST_FAILED(Namespace.RP, "DeleteResourcePropertiesRequestFailedFault", false),
  UNKNOWN_QUERY_EXPRESSION_DIALECT(Namespace.RP, "UnknownQueryExpressionDialectFault", true),
  INVALID_QUERY_EXPRESSION(Namespace.RP, "InvalidQueryExpressionFault", true),
  QUERY_EVALUATION_ERROR(Namespace.RP, "QueryEvaluationErrorFault", true),

  /** WS-ResourceLifetime 1.2, sections 4 and 5. */
  RESOURCE_NOT_DESTROYED(Namespace.RL, "ResourceNotDestroyedFault", false),
  UNABLE_TO_SET_TERMINATION_TIME(Namespace.RL, "UnableToSetTerminationTimeFault", false),
  TERMINATION_TIME_CHANGE_REJECTED(Namespace.RL, "TerminationTimeChangeRejectedFault", true),

  /** WS-ServiceGroup 1.2, section 6. */
  ADD_REFUSED(Namespace.SG, "AddRefusedFault", false),
  CONTENT_CREATION_FAILED(Namespace.SG, "ContentCreationFailedFault", true),
  UNSUPPORTED_MEMBER_INTERFACE(Namespace.SG, "UnsupportedMemberInterfaceFault", true);

  private final QName element;
  private final boolean sender;

  ResourceFaultType(String namespace, String name, boolean sender) {
    this.element = new QName(namespace, name);
    this.sender = sender;
  }

  @Override
  public QName element() {
    return element;
  }

  @Override
  public DeclaredFault.Family family() {
    return DeclaredFault.Family.WSRF;
  }

  @Override
  public boolean sender() {
    return sender;
  }

  /** Of the fault elements. */
  private static final class Namespace {
    static final String R = "http://docs.oasis-open.org/wsrf/r-2";
    static final String RP = "http://docs.oasis-open.org/wsrf/rp-2";
    static final String RL = "http://docs.oasis-open.org/wsrf/rl-2";
    static final String SG = "http://docs.oasis-open.org/wsrf/sg-2";
  }
}
