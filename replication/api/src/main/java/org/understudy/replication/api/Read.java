package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an operation that changes nothing. It is not replicated and may run beside other reads of its resource. An
 * operation without this mark is an update. Put it on the method of the implementation class.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Read {
  /** The read level for a client that requests none. */
  ReadLevel value() default ReadLevel.LINEARIZABLE;
}
