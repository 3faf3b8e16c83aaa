package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Put on the class that implements a web service: every endpoint that the application publishes with an object of this class is
 * replicated. The object stays the application's own, with all that was injected into it and all that is configured around it.
 * The class says where its state is by {@link StateCapture} or {@link ResourceState}.
 *
 * <p>Has an effect where Understudy's plugin is in the web application and finds a configuration. Elsewhere the endpoint is
 * published as it would be without this mark.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface FaultTolerant {
  /**
   * The name under which the group keeps the service's state: the same at every replica, and in every version of the application.
   * At most 200 characters. Default: the address of the endpoint within its servlet, for example {@code /hello}; of several
   * endpoints that share an object, the alphabetically first address.
   */
  String name() default "";

  /**
   * The group of replicas that holds the service, one of those that {@code understudy.groups} lists. Required where that is set. Default:
   * the only group of the web application.
   */
  String group() default "";
}
