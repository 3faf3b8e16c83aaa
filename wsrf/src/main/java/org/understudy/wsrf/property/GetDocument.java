package org.understudy.wsrf.property;

import org.understudy.replication.api.ReadLevel;
import org.understudy.wsrf.operation.Invocation;

/** GetResourcePropertyDocument (WS-ResourceProperties 1.2, section 5.1). */
final class GetDocument extends ResourceOperation {
  private static final String OPERATION = "GetResourcePropertyDocument";

  GetDocument(ResourceDocument document) {
    super(
        document, PropertyOperations.element(OPERATION), PropertyOperations.answer(OPERATION), ReadLevel.LINEARIZABLE);
  }

  @Override
  protected String answer(Invocation invocation) {
    return PropertyOperations.response(OPERATION, document.text(invocation.transaction(), invocation.now()));
  }
}
