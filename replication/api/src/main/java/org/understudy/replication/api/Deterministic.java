package org.understudy.replication.api;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a service whose executions are deterministic: equal requests in an equal order lead to equal states and responses at
 * every replica. It uses no clock, no randomness, no thread of its own and nothing outside its state. Only strategies that
 * execute a request at several replicas require it. Put it on the implementation class; the mark is believed, not checked.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface Deterministic {}
