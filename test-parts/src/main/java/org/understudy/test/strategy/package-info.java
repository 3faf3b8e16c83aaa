/** Strategies for tests of what runs a strategy. */
package org.understudy.test.strategy;
