/** Finds state that is not captured, in test runs. */
package org.understudy.state.check;
