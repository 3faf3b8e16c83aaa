/** Finds state that a capture misses, in test runs. */
package org.understudy.state.check;
