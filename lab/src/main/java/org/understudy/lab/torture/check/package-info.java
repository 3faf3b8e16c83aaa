/** Checks of a history, each read level against its own promise. Pure functions of what was recorded. */
package org.understudy.lab.torture.check;
