package org.understudy.cdi.application;

import jakarta.annotation.Priority;
import jakarta.interceptor.AroundInvoke;
import jakarta.interceptor.Interceptor;
import jakarta.interceptor.InvocationContext;

/** Adds to what an operation returns. */
@Audited
@Interceptor
@Priority(Interceptor.Priority.APPLICATION)
public class Auditor {
  @AroundInvoke
  Object audit(InvocationContext call) throws Exception {
    return call.proceed() + ", audited";
  }
}
