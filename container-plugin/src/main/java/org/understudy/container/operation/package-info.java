/** The operations that requests select, and the contracts that describe them. */
package org.understudy.container.operation;
