package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Put on a service class whose state lives in WS-Resources: names the state object of one resource. The class needs a
 * public constructor without parameters, and the service a public constructor that takes its {@link ResourceHome}. The
 * state object implements {@link StateCapture} or is marked with {@link ReplicatedState}. A service without this mark is one
 * resource itself, and does the same.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ResourceState {
  Class<?> value();
}
