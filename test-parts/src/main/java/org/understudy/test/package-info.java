/** What the tests of several modules share. No product depends on it. */
package org.understudy.test;
