package org.understudy.test.strategy;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.ClassTemplate;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Runs a test class once for each strategy that replicates: {@code primary-backup}, then {@code group}. A cluster of several
 * replicas uses the current one unless the test sets {@code understudy.strategy}. {@code -Dunderstudy.test.strategy=group} selects one.
 *
 * <p>Methods with {@code @BeforeAll} run once for all strategies, so they must not start a cluster.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ClassTemplate
@ExtendWith(Strategies.class)
public @interface ForEachStrategy {}
